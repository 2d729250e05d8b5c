import { type AnyCodec, codecs, collectLosses, encodeRequest, traceOrigins } from "@manifold-gateway/core";
import { callerPath } from "@manifold-gateway/core/capability";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Message, Part } from "@manifold-gateway/core/ir";
import { expect, test } from "vitest";
import { fitNames as fitFor } from "../../../packages/core/src/translate/fit-names.ts";
import { traceCopies } from "../../../packages/core/src/translate/origins.ts";
import { pairCalls } from "../../../packages/core/src/translate/pair-calls.ts";
import { asked } from "./text-request.ts";

const text = (words: string): Part => ({ type: "text", text: words });
const say = (role: Message["role"], ...parts: Part[]): Message => ({ role, parts }) as Message;

test("a path of the request is reported in the caller's own words", () => {
  const part: Part = { type: "text", text: "x", extra: { protocol: "chatstyle", fields: { odd: 1 } } };
  const request = asked([say("system", text("s")), say("user", part)], {
    extra: { protocol: "chatstyle", fields: { extra: 1 } },
  });
  const { trace, locate } = traceOrigins([
    { name: "maxTokens", wire: "max_completion_tokens" },
    { name: "topP", wire: "generationConfig.topP" },
  ]);
  trace(request.messages[1] as Message, "/input/0");
  trace(part, "/input/0/content/0");
  const told: [string, string][] = [
    ["/messages/1", "/input/0"],
    ["/messages/1/name", "/input/0/name"],
    ["/messages/1/parts/0", "/input/0/content/0"],
    ["/messages/1/parts/0/cache", "/input/0/content/0/cache"],
    ["/messages/1/parts/0/extra/odd", "/input/0/content/0/odd"],
    ["/messages/0/parts/0", "/messages/0/parts/0"],
    ["/params/maxTokens", "/max_completion_tokens"],
    ["/params/topP", "/generationConfig/topP"],
    ["/params/seed", "/params/seed"],
    ["/extra/extra", "/extra"],
    ["/toolChoice/parallel", "/toolChoice/parallel"],
    ["", ""],
  ];
  for (const [path, pointer] of told) expect(locate(request, path)).toBe(pointer);
});

test("losses found after mending and fitting name the place in the request as it came", () => {
  const calls = say(
    "assistant",
    text("first"),
    { type: "call", id: "a b", name: "x.y", arguments: "{}" },
    { type: "call", id: "lost", name: "z", arguments: "{}" },
  );
  const request = asked([
    say("user", { type: "result", id: "orphan", parts: [{ type: "text", text: "left over" }] }),
    calls,
    say("system", text("between")),
    say("user", text("before"), { type: "result", id: "a b", parts: [{ type: "text", text: "r" }] }),
  ]);
  const { lose } = collectLosses();
  const { traceCopy, originalPath } = traceCopies(request);
  const spelling = { pattern: /^[a-z_]+$/, max: 20 };
  const mended = pairCalls(request, lose, traceCopy);
  const fitted = fitFor(mended, { names: spelling, ids: spelling, freeform: true }, lose, traceCopy).request;
  expect(fitted.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "user",
    "system",
    "user",
  ]);
  const told: [string, string][] = [
    ["/messages/0/parts/0/cache", "/messages/0/parts/0/parts/0/cache"],
    ["/messages/1", "/messages/1"],
    ["/messages/1/parts/1/seal", "/messages/1/parts/1/seal"],
    ["/messages/2/parts/0/failed", "/messages/3/parts/1/failed"],
    ["/messages/2/parts/0/parts/0", "/messages/3/parts/1/parts/0"],
    ["/messages/2/parts/1/failed", "/messages/1/parts/2/failed"],
    ["/messages/3/parts/0", "/messages/2/parts/0"],
    ["/messages/4/parts/0", "/messages/3/parts/0"],
    ["/params/seed", "/params/seed"],
    ["/tools/0/strict", "/tools/0/strict"],
  ];
  for (const [path, place] of told) expect(originalPath(fitted, path)).toBe(place);
});

test.each([
  [
    "one casing",
    { generationConfig: { mediaResolution: "LOW", topK: 3, stopSequences: "abcde".split("") } },
    [
      "/generationConfig/mediaResolution",
      "/generationConfig/topK",
      "/generationConfig/stopSequences",
      "/toolConfig/retrievalConfig",
    ],
    { toolConfig: { retrievalConfig: {} } },
  ],
  [
    "the other",
    { generation_config: { media_resolution: "LOW", top_k: 3, stop_sequences: "abcde".split("") } },
    [
      "/generation_config/media_resolution",
      "/generation_config/top_k",
      "/generation_config/stop_sequences",
      "/tool_config/retrieval_config",
    ],
    { tool_config: { retrieval_config: {} } },
  ],
  [
    "both",
    { generation_config: { mediaResolution: "LOW", topK: 3, stop_sequences: "abcde".split("") } },
    [
      "/generation_config/mediaResolution",
      "/generation_config/topK",
      "/generation_config/stop_sequences",
      "/toolConfig/retrieval_config",
    ],
    { toolConfig: { retrieval_config: {} } },
  ],
])("a loss inside a record is reported where the body has it: in %s", (_, config, paths, more) => {
  const wire = { contents: [{ parts: [{ text: "x" }] }], ...config, ...more } as JsonObject;
  const codec: AnyCodec = codecs.genstyle;
  const origins = traceOrigins(codec.params);
  const request = codec.request.decode(wire, origins.trace);
  const { losses } = encodeRequest({ ...request, model: "m" }, codecs.chatstyle);
  const told = losses.map(({ path }) => callerPath(path, request, { codec, wire, origins }));
  expect(told.sort()).toEqual([...paths].sort());
});

const messages = [{ role: "user", content: "x" }];

test.each<[caller: AnyCodec, wire: JsonObject, place: string]>([
  [
    codecs.chatstyle,
    {
      messages,
      response_format: { type: "json_schema", json_schema: { name: "who", strict: true, schema: {} } },
    },
    "/response_format/json_schema",
  ],
  [
    codecs.responses,
    { input: "x", text: { format: { type: "json_schema", name: "who", strict: true, schema: {} } } },
    "/text/format",
  ],
])("a loss inside a format names the member, and not the whole format: %#", (codec, wire, place) => {
  const origins = traceOrigins(codec.params);
  const request = codec.request.decode(wire, origins.trace);
  const { losses } = encodeRequest({ ...request, model: "m" }, codecs.genstyle);
  const told = losses.map(({ path }) => callerPath(path, request, { codec, wire, origins }));
  expect(told).toEqual([`${place}/name`, `${place}/strict`]);
});
