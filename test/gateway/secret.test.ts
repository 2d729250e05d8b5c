import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hideRuns, hideSecrets } from "../../packages/gateway/src/text/secret.ts";

const SECRET = "house-secret/0123+456789";
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("credentials in texts of a provider", () => {
  it.each([
    ["as it is", SECRET],
    ["in base64", base64(SECRET)],
    ["in base64url", Buffer.from(SECRET).toString("base64url")],
    ["in hex", Buffer.from(SECRET).toString("hex")],
    ["in capital hex", Buffer.from(SECRET).toString("hex").toUpperCase()],
    ["of an address", encodeURIComponent(SECRET)],
  ])("a credential is hidden %s", (_, spelling) => {
    const hidden = hideSecrets([SECRET])(`Incorrect key: ${spelling}.`);
    expect(hidden).toContain("[redacted]");
    expect(hidden).not.toContain(spelling);
    expect(hidden).toMatch(/^Incorrect key: /);
  });

  it("a credential is hidden in base64 of a text around it", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (before, after) => {
        const hidden = hideSecrets([SECRET])(base64(before + SECRET + after));
        expect(hidden).toContain("[redacted]");
        expect(hidden.length).toBeLessThan(40);
      }),
    );
  });

  it("words, codes and addresses are not hidden", () => {
    const text =
      '{"error":{"message":"Incorrect API key provided. See https://platform.example.com/account/api-keys.","type":"invalid_request_error","code":"invalid_api_key_provided","status":"PERMISSION_DENIED"}}';
    expect(hideRuns(text)).toBe(text);
    expect(hideRuns(`Key ${base64(SECRET).slice(2)} is wrong`)).toBe("Key [redacted] is wrong");
  });
});
