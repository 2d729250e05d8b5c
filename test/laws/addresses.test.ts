import type { AnyCodec, TextRequest } from "@manifold-gateway/core";
import { addressesIn, type JsonObject } from "@manifold-gateway/core/codec";
import type { MediaPart } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { request as anyRequest } from "./arbitraries/requests.ts";
import { every, generous, readRequest, requests, rows } from "./fixtures.ts";

/** The addresses of the media in a request, as the canonical form has them. */
function mediaUrls({ messages }: TextRequest): string[] {
  const parts = messages.flatMap((message) => message.parts as readonly object[]);
  const all = parts.flatMap((part) => ("parts" in part ? [part, ...(part.parts as object[])] : [part]));
  return all.flatMap((part) => {
    const { source } = part as Partial<MediaPart>;
    return source?.type === "url" && /^https?:\/\//i.test(source.url) ? [source.url] : [];
  });
}

const found = (codec: AnyCodec, wire: JsonObject): string[] =>
  addressesIn(wire, codec.unfetched).map(({ url }) => url);

describe("addresses of media in a request", () => {
  test.each(rows(requests))(
    "every address of media in a request is found on its wire: %s",
    (_, { codec, value }) => {
      expect(found(codec, value)).toEqual(expect.arrayContaining(mediaUrls(readRequest(codec, value))));
    },
  );

  test.each(every.map((codec) => [codec.protocol, codec] as const))(
    "every address of media is found that %s writes",
    (_, codec) => {
      fc.assert(
        fc.property(anyRequest, (request) => {
          const wire = codec.request.encode(request, () => {}, generous) as JsonObject;
          expect(found(codec, wire)).toEqual(expect.arrayContaining(mediaUrls(readRequest(codec, wire))));
        }),
      );
    },
  );
});

const ADDRESS = "http://10.0.0.7/a";

describe("addresses that are only text", () => {
  const tool = { name: "open", description: ADDRESS };
  const schema = { type: "object", properties: { url: { type: "string", default: ADDRESS } } };
  test.each<[string, JsonObject]>([
    [
      "chatstyle",
      {
        model: "m",
        stop: [ADDRESS],
        user: ADDRESS,
        metadata: { url: ADDRESS },
        tools: [{ type: "function", function: { ...tool, parameters: schema } }],
        response_format: { type: "json_schema", json_schema: { name: "x", schema } },
        messages: [
          { role: "system", content: ADDRESS },
          { role: "user", content: [{ type: "text", text: ADDRESS }] },
          {
            role: "assistant",
            content: null,
            refusal: ADDRESS,
            annotations: [{ url_citation: { url: ADDRESS } }],
          },
          { role: "tool", tool_call_id: "c", content: ADDRESS },
        ],
      },
    ],
    [
      "responses",
      {
        model: "m",
        instructions: ADDRESS,
        input: [
          { role: "user", content: ADDRESS },
          { type: "function_call", call_id: "c", name: "open", arguments: ADDRESS },
          { type: "function_call_output", call_id: "c", output: ADDRESS },
          { type: "web_search_call", action: { type: "open_page", url: ADDRESS } },
        ],
        tools: [{ type: "function", ...tool, parameters: schema }],
        text: { format: { type: "json_schema", name: "x", schema } },
      },
    ],
    [
      "msgstyle",
      {
        model: "m",
        system: ADDRESS,
        stop_sequences: [ADDRESS],
        tools: [{ ...tool, input_schema: schema }],
        messages: [
          {
            role: "assistant",
            content: [{ type: "tool_use", id: "c", name: "open", input: { url: ADDRESS } }],
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: ADDRESS }] },
              { type: "search_result", source: ADDRESS, title: ADDRESS, content: [] },
              { type: "document", source: { type: "text", data: ADDRESS }, context: ADDRESS },
            ],
          },
        ],
      },
    ],
    [
      "genstyle",
      {
        systemInstruction: ADDRESS,
        contents: [
          { parts: [{ text: ADDRESS }, { functionCall: { name: "open", args: { url: ADDRESS } } }] },
          { parts: [{ functionResponse: { name: "open", response: { url: ADDRESS } } }] },
        ],
        tools: [{ functionDeclarations: [{ ...tool, parametersJsonSchema: schema }] }],
        generationConfig: { stopSequences: [ADDRESS], responseSchema: schema },
      },
    ],
    ["native", { model: "m", messages: [{ role: "user", content: ADDRESS }] }],
  ])("an address that is only text is not found by %s", (protocol, wire) => {
    const codec = every.find((one) => one.protocol === protocol) as AnyCodec;
    expect(addressesIn(wire, codec.unfetched)).toEqual([]);
  });
});

test.each([
  ["with white space before it", ` \n${ADDRESS}`],
  ["broken in its scheme", ADDRESS.replace("tt", "t\nt")],
  ["in capitals", ADDRESS.toUpperCase()],
  ["without slashes", "http:10.0.0.7"],
  ["with slashes the other way round", "http:\\\\10.0.0.7"],
  ["of a file", "file:/etc/passwd"],
  ["of a scheme that nobody knows", "gopher://10.0.0.7"],
])("an address is found %s, in a member that no codec knows", (_, url) => {
  const wire = { messages: [{ content: [{ type: "x", some_part: { link: [url] } }] }] };
  for (const codec of every)
    expect(addressesIn(wire, codec.unfetched)).toEqual([
      { url, at: "/messages/0/content/0/some_part/link/0" },
    ]);
});
