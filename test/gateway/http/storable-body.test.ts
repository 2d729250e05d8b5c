import fc from "fast-check";
import { expect, it } from "vitest";
import { bodyLimits, parseBody } from "../../../packages/gateway/src/http/body.ts";
import { toJsonBody } from "../../../packages/gateway/src/http/json-body.ts";
import { storableText } from "../../../packages/gateway/src/http/storable-body.ts";

const bodyOf = (content: string) => toJsonBody({ model: "m", messages: [{ role: "user", content }] });

it("the text of a request is stored as it came, unless media or a link may be in it", () => {
  const run = fc.tuple(fc.stringMatching(/^[a-zA-Z0-9+]{0,40}$/), fc.nat(1_600), fc.nat(600));
  fc.assert(
    fc.property(run, ([word, length, before]) => {
      const body = bodyOf(`${"ab ".repeat(before)}${word} ${"Q".repeat(length)} end of it`);
      const { text } = body.skeleton;
      const media = length >= 512 && text.length > 1_024;
      const kept = storableText(body);
      expect(typeof kept).toBe(media ? "object" : "string");
      if (typeof kept === "string") expect(kept).toBe(text);
    }),
  );
});

it.each([
  "see https://x.example/?sig=abc",
  "see https:\\/\\/x.example\\/?sig=abc",
  "see /x?sig=abc",
  "see x.example/x?a=1&signature=abc",
  "see https://me:abc@x.example/",
])("signatures of links are removed before storing: %s", (link) => {
  const text = `{"model":"m","messages":[{"role":"user","content":"${link}"}]}`;
  const kept = storableText(parseBody(Buffer.from(text), bodyLimits.text));
  expect(typeof kept).toBe("object");
  expect(JSON.stringify(kept)).not.toContain("abc");
});
