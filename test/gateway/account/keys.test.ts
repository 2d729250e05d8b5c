import { isKey } from "@manifold-gateway/store";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useDatabases } from "./databases.ts";
import { type Desk, generate, openDesk } from "./desk.ts";

describe.each(useDatabases())("API keys on $name", ({ make }) => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await openDesk({ make, limits: { keys: 3 } });
  });
  afterEach(() => desk.close());

  const balance = (key: string) =>
    desk.send("GET", "/api/compat/v1/balance", { headers: { "x-api-key": key } });

  it("the calling key is shown by its own header alone, and a bearer is told so", async () => {
    const path = "/api/compat/v1/api-key";
    expect((await desk.byKey(path)).status).toBe(200);
    const refused = await desk.send("GET", path, { headers: { authorization: `Bearer ${desk.key}` } });
    expect([refused.status, refused.body.errors]).toEqual([
      401,
      ["This route accepts the API key as 'x-api-key' only, not as a bearer token."],
    ]);
  });

  it("the use of a key is noted with its address, once a second however often it is used, and not if it is refused", async () => {
    const { keyUses } = desk.store;
    const note = vi.spyOn(keyUses, "note");
    for (let n = 0; n < 5; n++) await desk.byKey("/api/compat/v1/balance");
    expect(note.mock.calls).toEqual([["key", { at: desk.now() }]]);
    desk.pass(1_000);
    await desk.byKey("/api/compat/v1/balance");
    expect(note.mock.calls.slice(1)).toEqual([["key", { at: desk.now() }]]);
    const { body: made } = await desk.bySession("POST", "/api-keys", { name: "ci" });
    await desk.bySession("PATCH", `/api-keys/${made.id}`, { isActive: false });
    expect((await balance(made.key)).status).toBe(401);
    expect(note).toHaveBeenCalledTimes(2);
  });

  describe.each(["/api-keys", "/api/compat/v1/api-keys"])("keys at %s", (path) => {
    it("a key is made with a name, shown once, and works", async () => {
      const made = await desk.bySession("POST", path, { name: " ci ", limits: { daily: 1.5 } });
      expect(made.status).toBe(201);
      expect(made.headers.get("cache-control")).toBe("no-store");
      expect(isKey(made.body.key)).toBe(true);
      const { key, ...shown } = made.body;
      expect(shown).toEqual({
        id: expect.stringMatching(/^key_/),
        name: "ci",
        prefix: key.slice(0, 10),
        isActive: true,
        limits: { daily: 1.5 },
        createdAt: "2026-11-21T12:00:00.000Z",
      });
      const unused = await desk.bySession("GET", `${path}/${shown.id}`);
      expect(unused.body).toEqual(shown);
      expect((await balance(key)).status).toBe(200);
      const list = await desk.bySession("GET", path);
      const used = { ...shown, lastUsedAt: "2026-11-21T12:00:00.000Z" };
      expect(list.body.results).toEqual([expect.objectContaining({ id: "key" }), used]);
      expect(list.text).not.toContain(key);
      expect((await desk.bySession("GET", `${path}/${shown.id}`)).body).toEqual(used);
    });

    it("a key takes caps under either name, and an unknown member is refused", async () => {
      const made = await desk.bySession("POST", path, { name: "ci", caps: { monthly: 5 } });
      expect([made.status, made.body.limits]).toEqual([201, { monthly: 5 }]);
      const refused = async (body: object) => {
        const { status, body: told } = await desk.bySession("POST", path, { name: "no", ...body });
        return [status, told.errors];
      };
      for (const [body, told] of [
        [
          { restriction: {} },
          "restriction: there is no such field; known are name, limits, caps, restrictions. Did you mean 'restrictions'?",
        ],
        [
          { caps: { montly: 5 } },
          "caps.montly: there is no such field; known are daily, weekly, monthly, total. Did you mean 'monthly'?",
        ],
        [
          { limits: { yearly: 5 } },
          "limits.yearly: there is no such field; known are daily, weekly, monthly, total",
        ],
        [
          { restrictions: { modles: ["a"] } },
          /^restrictions\.modles: there is no such field; .*Did you mean 'models'\?$/,
        ],
      ] as const)
        expect(await refused(body)).toEqual([
          400,
          [typeof told === "string" ? told : expect.stringMatching(told)],
        ]);
      expect(await refused({ caps: {}, limits: {} })).toEqual([400, [expect.stringContaining("caps:")]]);
      expect((await desk.bySession("GET", path)).body.total).toBe(2);
    });

    it("a key can be renamed, disabled, enabled and revoked with immediate effect", async () => {
      const { key, id } = (await desk.bySession("POST", path, { name: "ci" })).body;
      expect((await balance(key)).status).toBe(200);
      const change = (body: unknown) => desk.bySession("PATCH", `${path}/${id}`, body);
      expect((await change({ name: "cd", isActive: false })).body).toMatchObject({
        name: "cd",
        isActive: false,
      });
      expect((await balance(key)).status).toBe(401);
      expect((await change({ isActive: true })).body.isActive).toBe(true);
      expect((await balance(key)).status).toBe(200);
      const revoked = await desk.bySession("DELETE", `${path}/${id}`);
      expect(revoked.body).toMatchObject({ isActive: false, revokedAt: "2026-11-21T12:00:00.000Z" });
      expect((await balance(key)).status).toBe(401);
      expect((await change({ isActive: true })).status).toBe(404);
      expect((await desk.bySession("DELETE", `${path}/${id}`)).status).toBe(404);
    });

    it("the caps of a key are set and cleared one by one", async () => {
      await generate(desk, "g1", { cost: 30 });
      const patch = (body: unknown, id = "key") => desk.bySession("PATCH", `${path}/${id}/usage-limit`, body);
      expect((await patch({ daily: 1, weekly: 2, monthly: 0, total: 0.00001 })).body).toEqual({
        id: "key",
        name: "laptop",
        isActive: true,
        daily: { limit: 1, spent: 0.00003, remaining: 0.99997 },
        weekly: { limit: 2, spent: 0.00003, remaining: 1.99997 },
        monthly: { limit: 0, spent: 0.00003, remaining: 0 },
        total: { limit: 0.00001, spent: 0.00003, remaining: 0 },
      });
      expect((await patch({ daily: null, monthly: null, total: 3 })).body).toEqual({
        id: "key",
        name: "laptop",
        isActive: true,
        weekly: { limit: 2, spent: 0.00003, remaining: 1.99997 },
        total: { limit: 3, spent: 0.00003, remaining: 2.99997 },
      });
      for (const daily of [-1, "5", 1e12])
        expect((await patch({ daily })).body.errors[0]).toMatch(/^daily: /);
      const misspelt = await patch({ daily: 1, dayly: 5 });
      expect([misspelt.status, misspelt.body.errors[0]]).toEqual([
        400,
        expect.stringMatching(/dayly.*daily/),
      ]);
      expect((await patch({})).body.total).toMatchObject({ limit: 3 });
      expect((await patch({ daily: 1 }, "nothing")).status).toBe(404);
    });
  });

  describe.each(["/api-keys", "/api/compat/v1/api-keys"])("restrictions at %s", (path) => {
    it("restrictions are set when a key is made, changed one by one, lifted and listed", async () => {
      const restrictions = {
        requestsPerMinute: 60,
        models: ["a", "b-*"],
        expiresAt: "2027-01-01T01:00:00+01:00",
      };
      const { id } = (await desk.bySession("POST", path, { name: "ci", restrictions })).body;
      const patch = (change: unknown) => desk.bySession("PATCH", `${path}/${id}`, { restrictions: change });
      const list = async () => (await desk.bySession("GET", path)).body.results[1].restrictions;
      expect(await list()).toEqual({ ...restrictions, expiresAt: "2027-01-01T00:00:00.000Z" });
      const changed = await patch({ models: null, expiresAt: null, surfaces: ["native"] });
      expect(changed.body.restrictions).toEqual({ requestsPerMinute: 60, surfaces: ["native"] });
      expect(await list()).toEqual({ requestsPerMinute: 60, surfaces: ["native"] });
      await patch({ requestsPerMinute: null, surfaces: null });
      expect(await list()).toBeUndefined();
    });

    it.each([
      ["requestsPerMinute", 0],
      ["tokensPerMinute", 1.5],
      ["concurrentRequests", "many"],
      ["models", []],
      ["surfaces", ["soap"]],
      ["expiresAt", "tomorrow"],
      ["requestPerMinute", 5],
    ])("a restriction is refused where %s is %j", async (name, value) => {
      const refused = await desk.bySession("PATCH", `${path}/key`, { restrictions: { [name]: value } });
      expect([refused.status, refused.body.code]).toEqual([400, "invalid_request"]);
      expect(refused.body.errors[0]).toContain(name);
    });
  });

  describe("the management of keys", () => {
    it("an account has a limited number of keys, revoked ones not counted", async () => {
      const create = () => desk.bySession("POST", "/api-keys", { name: "one more" });
      expect([(await create()).status, (await create()).status, (await create()).status]).toEqual([
        201, 201, 403,
      ]);
      await desk.bySession("DELETE", "/api-keys/key");
      expect((await create()).status).toBe(201);
      expect((await create()).body.errors[0]).toContain("3 API keys");
    });

    it("a name with unreadable characters is refused for a key", async () => {
      for (const name of ["", "  ", "a\nb", "x".repeat(65), 7])
        expect((await desk.bySession("POST", "/api-keys", { name })).body.errors[0]).toMatch(/^name: /);
    });

    it("a key is revealed to a fresh session, and the audit log records it without the key", async () => {
      const { key, id } = (await desk.bySession("POST", "/api-keys", { name: "ci" })).body;
      const token = await desk.signIn();
      const reveal = (keyId = id) =>
        desk.send("POST", `/api-keys/${keyId}/reveal`, { headers: { authorization: `Bearer ${token}` } });
      const shown = await reveal();
      expect(shown.body).toEqual({ id, key });
      expect(shown.headers.get("cache-control")).toBe("no-store");
      const request = shown.headers.get("x-request-id");
      const line = JSON.stringify({
        request,
        event: "key_revealed",
        actor: "account:acc",
        account: "acc",
        key: id,
        message: "audit",
      });
      expect(desk.lines).toContain(line);
      expect(desk.lines.join("\n")).not.toContain(key);
      expect((await reveal("key")).body.errors[0]).toContain("not stored");
      desk.pass(15 * 60_000 + 1);
      expect((await reveal()).status).toBe(403);
      await desk.bySession("DELETE", `/api-keys/${id}`);
      expect((await desk.bySession("POST", `/api-keys/${id}/reveal`)).status).toBe(404);
    });

    it("a key of another account is not found", async () => {
      await desk.byAdmin("POST", "/api/admin/accounts", { id: "other", name: "Other" });
      const { id } = (await desk.byAdmin("POST", "/api/admin/accounts/other/api-keys", { name: "theirs" }))
        .body;
      for (const [method, path, body] of [
        ["GET", ""],
        ["PATCH", "", { name: "mine" }],
        ["DELETE", ""],
        ["PATCH", "/usage-limit", { daily: 1 }],
        ["POST", "/reveal"],
      ] as const) {
        const foreign = await desk.bySession(method, `/api-keys/${id}${path}`, body);
        const unknown = await desk.bySession(method, `/api-keys/nothing${path}`, body);
        expect([foreign.status, foreign.body.errors]).toEqual([404, unknown.body.errors]);
      }
      expect(await desk.store.keys.get({ accountId: "other", id })).toMatchObject({
        name: "theirs",
        revision: 1,
      });
    });

    it("a key cannot manage keys", async () => {
      const headers = { "x-api-key": desk.key };
      expect((await desk.send("GET", "/api-keys", { headers })).status).toBe(403);
      expect((await desk.send("POST", "/api-keys", { headers, body: { name: "x" } })).status).toBe(403);
      expect((await desk.send("GET", "/api-keys")).status).toBe(401);
    });
  });
});
