import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";

const ADMIN = "operator-key-of-thirty-two-letters";
let h: Stage;
beforeAll(async () => {
  h = await startStage({
    adminKeys: { admin: ADMIN },
    metrics: async () => ({ type: "text/plain", text: "up 1\n" }),
  });
});
afterAll(() => h.close());

const told = async (response: Response): Promise<string> => JSON.stringify(await response.json());

describe("a path with another method", () => {
  it.each([
    ["GET", "/api/chatstyle/v1/chat/completions", "POST"],
    ["DELETE", "/api/chatstyle/v1/models/any/name", "GET, HEAD"],
    ["PUT", "/api-keys", "POST, GET, HEAD"],
    ["GET", "/api/genstyle/v1beta/models/m:generateContent", undefined],
    ["GET", "/api/genstyle/v1beta/files", undefined],
    ["DELETE", "/api/genstyle/v1beta/batches/b", undefined],
  ])("%s %s is a 405 that lists the allowed methods", async (method, path, allow) => {
    const response = await h.call(path, undefined, { method });
    if (allow === undefined) return expect(response.status).toBe(404);
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(await told(response)).toContain("method");
  });
});

describe("a path that does not exist", () => {
  it.each([
    ["/v1/chat/completions", "/api/chatstyle/v1/chat/completions"],
    ["/api/chatstyle/v1/chat/completion", "/api/chatstyle/v1/chat/completions"],
    ["/api/msgstyle/v1/mesages", "/api/msgstyle/v1/messages"],
  ])("the refusal of %s suggests the path that was meant", async (path, meant) => {
    const response = await h.call(path, {});
    expect(response.status).toBe(404);
    expect(await told(response)).toContain(`Did you mean ${meant}?`);
  });

  it("the refusal of a path suggests none that has only another method", async () => {
    expect(await told(await h.call("/api/chatstyle/v1/modls", {}))).not.toContain("Did you mean");
    const got = await h.call("/api/chatstyle/v1/modls", undefined, { method: "GET" });
    expect(await told(got)).toContain("Did you mean /api/chatstyle/v1/models?");
  });

  it("the refusal of an unknown path suggests nothing where nothing is close", async () => {
    expect(await told(await h.call("/elsewhere", {}))).not.toContain("Did you mean");
  });
});

describe("access to metrics", () => {
  const ask = (headers: Record<string, string>) => fetch(`${h.origin}/metrics`, { headers });

  it("metrics accept the operator's credential as a bearer token", async () => {
    const response = await ask({ authorization: `Bearer ${ADMIN}` });
    expect([response.status, await response.text()]).toEqual([200, "up 1\n"]);
    expect((await ask({ "x-admin-key": ADMIN })).status).toBe(200);
    expect((await ask({ authorization: `Bearer ${ADMIN}x` })).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${ADMIN}`, "x-admin-key": "wrong" })).status).toBe(401);
  });

  it("no other route accepts the operator's credential as a bearer token", async () => {
    const accounts = await fetch(`${h.origin}/api/admin/accounts`, {
      headers: { authorization: `Bearer ${ADMIN}` },
    });
    expect(accounts.status).toBe(401);
  });
});
