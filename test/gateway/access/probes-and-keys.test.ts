import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const surfaces = [
  ["chatstyle", "/api/chatstyle/v1/models"],
  ["msgstyle", "/api/msgstyle/v1/models"],
  ["genstyle", "/api/genstyle/v1beta/models"],
  ["native", "/api/v1/ai/models"],
] as const;

const get = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(h.origin + path, { ...init, headers });

describe("probes by HEAD", () => {
  it.each(["/api/chatstyle", "/api/msgstyle", "/api/genstyle"])("HEAD %s needs no key", async (path) => {
    const response = await get(path, {}, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it("HEAD on any other path needs a key", async () => {
    expect((await get("/api/chatstyle/v1/models", {}, { method: "HEAD" })).status).not.toBe(200);
  });
});

describe.each(surfaces)("credentials on %s", (name, path) => {
  it.each([
    ["x-api-key", { "x-api-key": KEY }, 200],
    ["bearer", { authorization: `Bearer ${KEY}` }, 200],
    ["bearer in lower case", { authorization: `bearer ${KEY}` }, 200],
    ["bearer after two spaces", { authorization: `Bearer  ${KEY} ` }, 200],
    ["bearer after a tab", { authorization: `BEARER\t${KEY}` }, 200],
    ["bearer without a space", { authorization: `Bearer${KEY}` }, 401],
    ["two keys", { authorization: `Bearer ${KEY} ${KEY}` }, 401],
    ["x-api-key wins over a wrong bearer", { "x-api-key": KEY, authorization: "Bearer wrong-key" }, 200],
    [
      "a wrong x-api-key wins over a right bearer",
      { "x-api-key": "wrong-key", authorization: `Bearer ${KEY}` },
      401,
    ],
    ["an empty x-api-key wins too", { "x-api-key": "", authorization: `Bearer ${KEY}` }, 401],
    ["none", {}, 401],
    ["unknown", { "x-api-key": "mfk_nothing" }, 401],
    ["basic", { authorization: `Basic ${KEY}` }, 401],
    ["too long", { "x-api-key": "k".repeat(600) }, 401],
  ] as const)("the status follows the credential that counts: %s", async (_, headers, status) => {
    expect((await get(path, headers)).status).toBe(status);
  });

  it("a missing key is a 401 in the envelope, with the surface's own error beside it", async () => {
    const body = await (await get(`${path}?key=secret`)).json();
    expect(body).toMatchObject({
      errors: [expect.stringContaining("API key")],
      status: 401,
      success: false,
      path,
      timestamp: expect.any(Number),
    });
    if (name !== "native") expect(body.error.message).toContain("API key");
  });
});

describe("credentials that only one surface takes", () => {
  it("generate-content clients may send x-goog-api-key or ?key=", async () => {
    expect((await get("/api/genstyle/v1beta/models", { "x-goog-api-key": KEY })).status).toBe(200);
    expect((await get(`/api/genstyle/v1beta/models?key=${KEY}`)).status).toBe(200);
    expect((await get(`/api/chatstyle/v1/models?key=${KEY}`)).status).toBe(401);
  });

  it("the matched route decides which credentials count, however the path is spelled", async () => {
    expect((await get("/api/%63hatstyle/v1/models")).status).toBe(400);
  });

  it("a disabled key is refused", async () => {
    await h.store.keys.change({ accountId: "acc", id: "key" }, { isActive: false });
    const fresh = await startStage();
    await fresh.store.keys.change({ accountId: "acc", id: "key" }, { isActive: false });
    expect((await fresh.call("/api/v1/ai/models")).status).toBe(401);
    await fresh.close();
    await h.store.keys.change({ accountId: "acc", id: "key" }, { isActive: true });
  });
});
