import { afterAll, beforeAll, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";

const APP = "https://app.example.com";
let h: Stage;
beforeAll(async () => {
  h = await startStage({ corsOrigins: [APP] });
});
afterAll(() => h.close());

const ask = (origin: string, wants: string) =>
  fetch(h.origin + CHAT, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": wants,
    },
  });
const granted = (response: Response) => response.headers.get("access-control-allow-origin");

it("a preflight says what a page of an allowed origin may send", async () => {
  const response = await ask(APP, "authorization,content-type");
  expect([response.status, granted(response)]).toEqual([204, APP]);
  expect(response.headers.get("access-control-allow-methods")).toContain("POST");
  expect(response.headers.get("access-control-allow-headers")).toBe("authorization,content-type");
});

it("a page of another origin is granted nothing", async () => {
  const response = await ask("https://app.example.com.evil.example", "authorization");
  expect([response.status, granted(response)]).toEqual([403, null]);
  const { code, errors } = await response.json();
  expect(code).toBe("origin_not_allowed");
  expect(errors).toEqual([expect.stringMatching(/'https:\/\/app\S+evil\.example' .*'server\.corsOrigins'/)]);
});

it("only pages of an allowed origin may read answers and refusals", async () => {
  const statuses: unknown[] = [];
  for (const [origin, key] of [
    [APP, KEY],
    [APP, "wrong"],
    ["https://other.example", KEY],
  ] as const) {
    const response = await h.call("/api/chatstyle/v1/models", undefined, {
      headers: { origin, "x-api-key": key },
    });
    statuses.push([response.status, granted(response), response.headers.get("vary")]);
  }
  expect(statuses).toEqual([
    [200, APP, "origin"],
    [401, APP, "origin"],
    [200, null, "origin"],
  ]);
});

it.each(["/api/chatstyle/v1/models", "/openapi.json"])(
  "caches keep no answer of %s for pages to which it was not given",
  async (path) => {
    for (const headers of [{}, { origin: APP }] as Record<string, string>[]) {
      const { headers: answered } = await h.call(path, undefined, { headers });
      expect(answered.get("vary")).toMatch(/\borigin\b/);
    }
  },
);
