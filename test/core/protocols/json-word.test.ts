import { type AnyCodec, codecs, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";

const text = (value: string) => ({ type: "text" as const, text: value });
const request = (...messages: TextRequest["messages"]): TextRequest => ({
  model: "m",
  stream: false,
  messages,
  format: { type: "json" },
  params: {},
});
const user = { role: "user", parts: [text("List three colours.")] } as const;
const system = { role: "system", parts: [text("Be brief.")] } as const;
const naming = { role: "system", parts: [text("Answer in Json.")] } as const;
const image = {
  role: "user",
  parts: [{ type: "media", kind: "image", source: { type: "url", url: "https://example.com/json.png" } }],
} as const;

/** The text of the messages that the server looks for the word in. */
const searched = (wire: JsonObject): string => JSON.stringify(wire.messages ?? wire.input).toLowerCase();
const family: [string, AnyCodec][] = [
  ["chatstyle", codecs.chatstyle],
  ["responses", codecs.responses],
];

describe.each(family)("JSON without a schema on the wire %s", (_, codec) => {
  test.each<[string, TextRequest]>([
    ["a user message", request(user as never)],
    ["a system text and a user message", request(system as never, user as never)],
    ["an image with the word in its address", request(image as never)],
    ["nothing", request()],
  ])("a request of %s gets an instruction with the word, as a loss", (_title, asked) => {
    const { wire, losses } = encodeRequest(asked, codec);
    expect(searched(wire)).toContain("answer with one valid json object");
    expect(losses).toContainEqual({ path: "/format", why: "approximated", detail: expect.any(String) });
  });

  test("a request that has the word is not changed", () => {
    const { wire, losses } = encodeRequest(request(naming as never, user as never), codec);
    expect(searched(wire)).toContain("answer in json.");
    expect(searched(wire)).not.toContain("valid json object");
    expect(losses).toEqual([]);
  });

  test("a request without a format is not changed", () => {
    const { format: _f, ...plain } = request(user as never);
    expect(searched(encodeRequest(plain, codec).wire)).not.toContain("json");
  });
});

test("the instruction joins the system message of a chat, since some models take one only", () => {
  const { wire } = encodeRequest(request(system as never, user as never), codecs.chatstyle);
  expect((wire.messages as JsonObject[]).map(({ role }) => role)).toEqual(["system", "user"]);
});
