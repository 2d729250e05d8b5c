import { hideSecrets, hideTraces } from "@manifold-gateway/core/reply";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

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
});

describe("parts of credentials in what a provider refuses", () => {
  const key = fc
    .string({
      unit: fc.constantFrom(..."ABCDEFGHKLMNPQRSTUVWXYZ0123456789/+_-".split("")),
      minLength: 24,
      maxLength: 60,
    })
    .map((rest) => `sk-${rest}`);
  const spell = fc.constantFrom<(text: string) => string>(
    (text) => text,
    base64,
    (text) => Buffer.from(text).toString("base64url"),
    (text) => Buffer.from(text).toString("hex"),
    (text) => text.toLowerCase(),
    (text) => text.slice(3, 15),
    (text) => `${text.slice(0, 12)}…`,
    (text) => `${text.slice(0, 6)}********${text.slice(-4)}`,
    (text) => `${"x".repeat(12)}${text.slice(-4)}`,
    (text) => `Bearer=${text.slice(0, 5)}...`,
    (text) => base64(`user:${text}`),
    (text) => base64(text.slice(2, 18)),
  );

  it("no run of a credential is left, in any spelling", () => {
    fc.assert(
      fc.property(key, spell, fc.constantFrom("İ ", "", "key "), (secret, write, before) => {
        const text = `Incorrect key: ${before}${write(secret)} refused.`;
        const hidden = hideTraces([secret])(text);
        expect(hidden).toContain("[redacted]");
        expect(hidden.startsWith("Incorrect key: ")).toBe(true);
        expect(hidden.endsWith(" refused.")).toBe(true);
        expect(hidden.length).toBeLessThan(60);
      }),
    );
  });

  it.each([
    "Incorrect API key provided. See https://platform.example.com/account/api-keys, keys begin with sk-...",
    "Your project proj_8fJ2kQ0aXw7LmN3vTz5RbYcD does not have access to model gpt-5.1-codex-max-2026-11-01.",
    "Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.example.com/projects/my-project-123456/locations/us-central1'. Request ID: req_011CSHoEeqs5C35K2UUqR7Fy.",
    "User: arn:aws:iam::123456789012:user/gateway is not authorized to perform: bedrock:InvokeModel",
    "trace 4bf92f3577b34da6a3ce929d0e0e4736, wait...it is over ****, xxxx",
  ])("what shares nothing with a credential stays as it is: %s", (text) => {
    expect(hideTraces(["sk-9QpLx2VtR7mWz4KcB8nY", SECRET])(text)).toBe(text);
  });
});
