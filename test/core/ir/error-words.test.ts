import { codecs } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";
import { wordsOf } from "../../../packages/core/src/ir/error-words.ts";

const finding = { type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" };

/** Error bodies as servers of every kind write them, and the words that a caller has to read. */
const bodies: [shape: string, body: Json, words: string][] = [
  ["a record", { error: { message: "No such model", type: "invalid_request_error" } }, "No such model"],
  [
    "findings below the message",
    { object: "error", message: { detail: [finding] }, type: "x" },
    "seed: Extra inputs are not permitted",
  ],
  [
    "findings below the error's message",
    { error: { message: { detail: [finding] } } },
    "seed: Extra inputs are not permitted",
  ],
  ["findings", { detail: [finding] }, "seed: Extra inputs are not permitted"],
  [
    "several findings",
    { detail: [finding, { loc: ["body", "stop"], msg: "Too long" }] },
    "seed: Extra inputs are not permitted; stop: Too long",
  ],
  ["a list of errors", { success: false, errors: [{ code: 7000, message: "No route" }] }, "No route"],
  ["a list of texts", { error: ["First", "Second"] }, "First; Second"],
  ["a list of one record", [{ error: { code: 400, message: "Bad" } }], "Bad"],
  ["a text", { error: "overloaded" }, "overloaded"],
  [
    "a text and a code",
    { code: "Client specified an invalid argument", error: "Model x does not support it." },
    "Model x does not support it.",
  ],
  [
    "a message beside the name of a status",
    { statusCode: 400, error: "Bad Request", message: "top_k is unknown" },
    "top_k is unknown",
  ],
  ["a capital letter", { Message: "Too many tokens" }, "Too many tokens"],
  ["a code and a message", { error_code: 17, error_msg: "Daily limit reached" }, "Daily limit reached"],
  [
    "a status inside an answer",
    { base_resp: { status_code: 2013, status_msg: "invalid params" } },
    "invalid params",
  ],
  [
    "a problem",
    { type: "about:blank", title: "Not allowed", status: 403, detail: "The key is for reading." },
    "The key is for reading.",
  ],
  ["a problem without details", { type: "about:blank", title: "Not allowed", status: 403 }, "Not allowed"],
  ["JSON in text", { error: { message: '{"error":{"message":"Inner words","code":400}}' } }, "Inner words"],
  [
    "JSON of a provider behind a router",
    { error: { message: "Provider returned error", metadata: { raw: '{"message":"stop is refused"}' } } },
    "Provider returned error: stop is refused",
  ],
  [
    "words that repeat those of the provider",
    { error: { message: "stop is refused", metadata: { raw: "stop is refused" } } },
    "stop is refused",
  ],
  ["text that only begins like JSON", { error: "{not json" }, "{not json"],
  ["members of no known name", { fault: { why: "odd" } }, '{"fault":{"why":"odd"}}'],
  ["nothing", {}, ""],
];

describe("the words of an error", () => {
  test.each(bodies)("are found in every shape: %s", (_, body, words) => {
    expect(wordsOf(body)).toBe(words);
  });

  test.each(
    Object.values(codecs).flatMap((codec) =>
      bodies
        .filter(([, , words]) => words !== "")
        .map(([shape, body, words]) => [codec.protocol, shape, codec, body, words] as const),
    ),
  )("reach callers of every protocol through a failure: %s, %s", (_, _shape, codec, body, words) => {
    const failure = codec.failure.decode(422, body);
    expect(failure.message).toBe(words);
    for (const { failure: caller } of Object.values(codecs))
      if (caller !== codec.failure)
        expect(JSON.stringify(caller.encode(failure).body)).toContain(JSON.stringify(words).slice(1, -1));
  });

  test("end where they are nested or long without end", () => {
    let nested: Json = "deep";
    for (let i = 0; i < 1_000; i++) nested = { message: [nested] };
    expect(wordsOf(nested).length).toBeLessThan(2_001);
    expect(wordsOf({ message: "x".repeat(9_999) })).toHaveLength(2_000);
  });
});
