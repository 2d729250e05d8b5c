import { type Capabilities, check } from "@manifold-gateway/core/capability";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";
import { asked } from "./asked.ts";

describe("the inputs of a model", () => {
  const capabilities: Capabilities = {
    text: { inputs: { image: { max: 1, mediaTypes: ["image/png"], maxBytes: 3 } } },
  };
  const url = (data: string, type = "image/png") => ({
    type: "image_url",
    image_url: { url: `data:${type};base64,${data}` },
  });
  const told = (content: JsonObject[]): string[] =>
    check(capabilities, asked("chatstyle", { model: "m", messages: [{ role: "user", content }] })).map(
      ({ code, path }) => `${code} ${path}`,
    );

  test.each<[string, JsonObject[], string[]]>([
    ["taken", [{ type: "text", text: "a" }, url("QUJD")], []],
    ["too large", [url("QUJDRA==")], ["input_too_large /messages/0/content/0"]],
    ["of another type", [url("QUJD", "image/gif")], ["unsupported_media_type /messages/0/content/0"]],
    ["too many", [url("QUJD"), url("QUI=")], ["too_many_inputs /messages/0/content/1"]],
    [
      "of another kind",
      [{ type: "input_audio", input_audio: { data: "QUJD", format: "wav" } }],
      ["unsupported_input /messages/0/content/0"],
    ],
  ])("media are checked: %s", (_, content, expected) => {
    expect(told(content)).toEqual(expected);
  });
});
