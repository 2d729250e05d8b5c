import { type AnyCodec, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import { isObject, type Json, type JsonObject } from "@manifold-gateway/core/codec";
import type { Protocol } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { factOf, paramNames } from "../../packages/core/src/ir/params.ts";
import { asksNothing } from "../../packages/core/src/translate/neutral.ts";
import { overlay } from "../matrix/pattern.ts";
import { wires } from "../support/wires/index.ts";
import { request as anyRequest } from "./arbitraries/requests.ts";
import { every, generous, readRequest } from "./fixtures.ts";

/** The wires of providers. */
const targets = every.filter(({ protocol }) => protocol !== "native");

const nest = (path: string, value: Json): JsonObject =>
  path.split("/").reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;

const plain: TextRequest = {
  model: "m",
  stream: false,
  messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
  params: {},
};
const tool = { type: "function" as const, name: "look", schema: { type: "object", properties: {} } };
const picture = {
  type: "media" as const,
  kind: "image" as const,
  source: { type: "base64" as const, mediaType: "image/png", data: "iVBORw0KGgo=" },
};

/** Requests that ask for nothing in one way each, by what says so. */
const idle: [string, TextRequest][] = [
  ...paramNames.flatMap((name) =>
    (factOf(name).neutral ?? []).map((value): [string, TextRequest] => [
      `${name}: ${JSON.stringify(value)}`,
      { ...plain, params: { [name]: value } },
    ]),
  ),
  ["the format of text", { ...plain, format: { type: "text" } }],
  ["a free choice of tools", { ...plain, tools: [tool], toolChoice: { mode: "auto", parallel: true } }],
  ["a choice among no tools", { ...plain, toolChoice: { mode: "none", parallel: false } }],
  ["a tool that is not strict", { ...plain, tools: [{ ...tool, strict: false }] }],
  [
    "a picture in the usual detail",
    { ...plain, messages: [{ role: "user", parts: [{ ...picture, detail: "auto" }] }] },
  ],
];

/** The same by members that only one wire has. */
const members: [Protocol, string, Json][] = every.flatMap(({ protocol, facts }) =>
  Object.entries(facts.neutral ?? {}).flatMap(([path, values]) =>
    values.map((value): [Protocol, string, Json] => [protocol, path, value]),
  ),
);

/** A request with a member that only its wire has, on a tool, on a part, or on itself. */
function withMember(protocol: Protocol, path: string, value: Json): TextRequest {
  const [place = "", ...below] = path.split("/");
  const isInner = place === "tools" || place === "parts";
  const extra = { protocol, fields: nest(isInner ? below.join("/") : path, value) };
  if (place === "tools") return { ...plain, tools: [{ ...tool, extra }] };
  if (place === "parts") return { ...plain, messages: [{ role: "user", parts: [{ ...picture, extra }] }] };
  return { ...plain, extra };
}

const lossesOf = (request: TextRequest, to: AnyCodec): unknown[] =>
  encodeRequest(request, to, { ...generous, extensions: [] }).losses;

describe("a value that asks for nothing", () => {
  test.each(idle)("is no loss where the target has no place for it: %s", (_, request) => {
    for (const to of targets) expect([to.protocol, lossesOf(request, to)]).toEqual([to.protocol, []]);
  });

  test.each(members)("is no loss as a member of one wire: %s %s %j", (protocol, path, value) => {
    for (const to of targets)
      expect([to.protocol, lossesOf(withMember(protocol, path, value), to)]).toEqual([to.protocol, []]);
  });

  test.each(members)("is kept on the wire whose member it is: %s %s %j", (protocol, path, value) => {
    const codec = every.find((each) => each.protocol === protocol) as AnyCodec;
    const { wire } = encodeRequest(withMember(protocol, path, value), codec, generous);
    expect(JSON.stringify(wire)).toContain(JSON.stringify(value));
  });

  test.each(members)("is lost if it asks for something: %s %s %j", (protocol, path) => {
    for (const to of targets.filter((each) => each.protocol !== protocol)) {
      const losses = lossesOf(withMember(protocol, path, "something"), to);
      expect([to.protocol, losses.length > 0]).toEqual([to.protocol, true]);
    }
  });

  test.each(paramNames.filter((name) => factOf(name).neutral))(
    "is written where the wire has the parameter: %s",
    (name) => {
      for (const codec of targets) {
        const row = codec.params.find((each) => each.name === name);
        if (!row || row.read || row.write || row.needs) continue;
        const [value] = factOf(name).neutral as readonly Json[];
        const { wire } = encodeRequest({ ...plain, params: { [name]: value } }, codec, generous);
        const written = row.wire
          .split(".")
          .reduce<Json | undefined>((node, key) => (isObject(node) ? node[key] : undefined), wire);
        expect([codec.protocol, written]).toEqual([codec.protocol, value]);
      }
    },
  );

  test("is told from every other value of its parameter", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        for (const name of paramNames) {
          const value = request.params[name];
          if (value === undefined) continue;
          const isNeutral = (factOf(name).neutral ?? []).some(
            (each) => JSON.stringify(each) === JSON.stringify(value),
          );
          expect(asksNothing(request, { path: `/params/${name}`, why: "unsupported" })).toBe(isNeutral);
          expect(asksNothing(request, { path: `/params/${name}`, why: "approximated" })).toBe(false);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("does not make the whole of the parameters, or content, asked for nothing", () => {
    const request: TextRequest = { ...plain, params: { candidates: 1, seed: 0 }, tools: [tool] };
    for (const path of ["", "/params", "/params/seed", "/messages", "/messages/0/parts/0", "/tools/0"])
      expect([path, asksNothing(request, { path, why: "unsupported" })]).toEqual([path, false]);
  });
});

test.each(targets)("what $protocol clients send by default is lost nowhere", (from) => {
  const words: { [P in Protocol]?: JsonObject } = {
    chatstyle: {
      n: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      logprobs: false,
      logit_bias: {},
      stop: [],
      response_format: { type: "text" },
      store: false,
      service_tier: "auto",
      modalities: ["text"],
      min_p: 0,
      top_a: 0,
      repetition_penalty: 1,
      tool_choice: "auto",
      parallel_tool_calls: true,
      metadata: {},
    },
    responses: {
      truncation: "disabled",
      background: false,
      store: false,
      include: [],
      text: { format: { type: "text" }, verbosity: "medium" },
      tool_choice: "auto",
      parallel_tool_calls: true,
      tools: [],
      service_tier: "auto",
      top_logprobs: 0,
      reasoning: { effort: null, summary: null },
      previous_response_id: null,
    },
    msgstyle: { stop_sequences: [], service_tier: "auto", speed: "standard", tool_choice: { type: "auto" } },
    genstyle: {
      generationConfig: {
        candidateCount: 1,
        responseModalities: ["TEXT"],
        responseMimeType: "text/plain",
        responseLogprobs: false,
        presencePenalty: 0,
        frequencyPenalty: 0,
      },
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      safetySettings: [],
      serviceTier: "standard",
    },
    conversestyle: { performanceConfig: { latency: "standard" }, serviceTier: { type: "default" } },
  };
  const wire = overlay(wires[from.protocol].request, words[from.protocol] as Json) as JsonObject;
  const known = lossesOf(readRequest(from, wires[from.protocol].request), from);
  for (const to of targets)
    expect([to.protocol, lossesOf(readRequest(from, wire), to)]).toEqual([to.protocol, known]);
});
