import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabases } from "./databases.ts";
import { type Desk, generate, openDesk, PASSWORD } from "./desk.ts";

const GRACE = "another-operator-credential-0123456789";
const LOG = "/api/admin/audit-log";

describe.each(useDatabases())("the audit log on $name", ({ make }) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ make, adminKeys: { grace: GRACE } });
  });
  afterAll(() => desk.close());
  const byGrace = (method: string, path: string, body?: unknown) =>
    desk.send(method, path, { headers: { "x-admin-key": GRACE }, ...(body !== undefined && { body }) });
  /** The newest entry that fits. */
  const last = async (query: string) =>
    (await desk.byAdmin("GET", `${LOG}?limit=1&${query}`)).body.results[0];

  it("every act of an operator has an entry: who, what, to whom, before and after", async () => {
    const account = { actor: "operator:grace", accountId: "eve" };
    await byGrace("POST", "/api/admin/accounts", { id: "eve", name: "Eve" });
    const made = await last("account=eve");
    expect(made).toMatchObject({ ...account, action: "account_created", after: { name: "Eve" } });
    desk.pass(1);
    expect([made.createdAt, made.request]).toEqual(["2026-11-21T12:00:00.000Z", expect.any(String)]);

    const acts: [action: string, method: string, path: string, body: object | undefined, rest: object][] = [
      ["account_changed", "PATCH", "", { name: "E." }, { before: { name: "Eve" }, after: { name: "E." } }],
      ["account_changed", "PATCH", "", { isActive: false }, { before: { isActive: true } }],
      ["account_changed", "PATCH", "", { isActive: true }, { after: { isActive: true } }],
      [
        "account_credited",
        "POST",
        "/credit",
        { amount: 2, reference: "gift" },
        { subject: "gift", before: { balance: 0 }, after: { balance: 2_000_000, amount: 2_000_000 } },
      ],
      [
        "password_set",
        "POST",
        "/password",
        { login: "eve", password: PASSWORD },
        { after: { login: "eve" } },
      ],
      [
        "key_created",
        "POST",
        "/api-keys",
        { name: "ci", limits: { daily: 1 } },
        { after: { name: "ci", daily: 1_000_000 } },
      ],
    ];
    for (const [action, method, path, body, rest] of acts) {
      const { status } = await byGrace(method, `/api/admin/accounts/eve${path}`, body);
      expect(status).toBeLessThan(300);
      expect(await last("account=eve")).toMatchObject({ ...account, action, ...rest });
      desk.pass(1);
    }
    const { subject: key } = await last("action=key_created");
    const keyActs: [action: string, method: string, path: string, body: object | undefined, rest: object][] =
      [
        ["key_changed", "PATCH", "", { name: "cd" }, { before: { name: "ci" }, after: { name: "cd" } }],
        ["key_changed", "PATCH", "", { isActive: false }, { after: { isActive: false } }],
        [
          "key_changed",
          "PATCH",
          "/usage-limit",
          { daily: 1_000_000, total: 3 },
          { before: { daily: 1_000_000 }, after: { daily: 1_000_000_000_000, total: 3_000_000 } },
        ],
        ["key_revoked", "DELETE", "", undefined, { after: { revokedAt: expect.any(Number) } }],
      ];
    for (const [action, method, path, body, rest] of keyActs) {
      await byGrace(method, `/api/admin/accounts/eve/api-keys/${key}${path}`, body);
      expect(await last("account=eve")).toEqual(
        expect.objectContaining({ ...account, action, subject: key, ...rest }),
      );
      desk.pass(1);
    }
  });

  it("refunds are logged, and so is what an account's own people did", async () => {
    await generate(desk, "g-refunded", { cost: 40 });
    await desk.byAdmin("POST", "/api/admin/accounts/acc/refunds", { generationId: "g-refunded" });
    expect(await last("action=charge_refunded")).toMatchObject({
      actor: "operator:operator",
      accountId: "acc",
      subject: "g-refunded",
      after: { amount: 40 },
    });
    const { body } = await desk.bySession("POST", "/api-keys", { name: "mine" });
    expect(await last("action=key_created")).toMatchObject({ actor: "account:acc", subject: body.id });
    await desk.bySession("POST", `/api-keys/${body.id}/reveal`);
    const entry = await last("action=key_revealed");
    expect(entry).toMatchObject({ actor: "account:acc", subject: body.id });
    const all = await desk.byAdmin("GET", `${LOG}?limit=100`);
    expect(all.text).not.toContain(body.key);
  });

  it("an act that changed nothing has no entry", async () => {
    const total = async () => (await desk.byAdmin("GET", LOG)).body.total;
    const before = await total();
    await desk.byAdmin("PATCH", "/api/admin/accounts/acc", { name: "Ada" });
    await desk.byAdmin("PATCH", "/api/admin/accounts/acc", { isActive: true });
    await desk.byAdmin("POST", "/api/admin/accounts/nobody/credit", { amount: 1 });
    expect(await total()).toBe(before);
  });

  it("wrong credentials are logged up to a number for each network, and no secret is", async () => {
    await desk.signIn();
    await desk.send("POST", "/api/auth/sign-in", { body: { account: "ada", password: "hunter2-hunter2" } });
    expect(await last("action=sign_in_refused")).toMatchObject({ actor: "caller", subject: "ada" });
    for (let i = 0; i < 30; i++)
      await desk.send("GET", "/api/admin/accounts", { headers: { "x-admin-key": "wrong-credential" } });
    await desk.send("GET", "/api/admin/accounts");
    const { body, text } = await desk.byAdmin("GET", `${LOG}?action=operator_refused`);
    expect(body.total).toBe(9);
    expect(text + desk.lines.join()).not.toMatch(/hunter2|wrong-credential/);
    expect(desk.lines.join()).toContain("sign_in_refused");
  });

  it("old refusals are deleted in time, and nothing else is", async () => {
    const before = (await desk.byAdmin("GET", LOG)).body.total;
    const refused = (await desk.byAdmin("GET", `${LOG}?action=operator_refused`)).body.total;
    await desk.store.auditLog.expire(desk.now() + 1);
    const after = (await desk.byAdmin("GET", LOG)).body.total;
    expect(after).toBe(before - refused - 1);
  });

  it("a password that was typed in place of a login is in no log", async () => {
    desk.pass(60_000);
    const account = "hunter3-hunter3";
    await desk.send("POST", "/api/auth/sign-in", { body: { account, password: "hunter3-hunter3" } });
    expect(await last("action=sign_in_refused")).toMatchObject({ subject: "hu…" });
    expect(desk.lines.join()).not.toContain("hunter3");
  });

  it("only operators may read the audit log", async () => {
    expect((await desk.byKey(LOG)).status).toBe(401);
    expect((await desk.bySession("GET", LOG)).status).toBe(401);
  });
});
