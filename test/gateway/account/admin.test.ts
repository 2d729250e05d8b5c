import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN } from "../../support/caller.ts";
import { useDatabases } from "./databases.ts";
import { type Desk, generate, openDesk } from "./desk.ts";

describe.each(useDatabases())("administration on $name", ({ make }) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ make });
  });
  afterAll(() => desk.close());

  describe("the operator", () => {
    it.each([
      ["nothing", {}],
      ["an empty credential", { "x-admin-key": "" }],
      ["a wrong one", { "x-admin-key": `${ADMIN}x` }],
      ["the right one in the wrong place", { authorization: `Bearer ${ADMIN}`, "x-api-key": ADMIN }],
    ])("a request with %s is not taken for the operator's", async (_, headers) => {
      expect((await desk.send("GET", "/api/admin/accounts", { headers })).status).toBe(401);
    });

    it("no request is the operator's where no admin key is configured", async () => {
      const bare = await openDesk({ make, adminKey: undefined } as never);
      for (const sent of ["", ADMIN, "undefined"])
        expect(
          (await bare.send("GET", "/api/admin/accounts", { headers: { "x-admin-key": sent } })).status,
        ).toBe(401);
      await bare.close();
    });

    it("the operator makes accounts, each once", async () => {
      const make = (body: unknown) => desk.byAdmin("POST", "/api/admin/accounts", body);
      const made = await make({ id: "bob", name: "Bob" });
      expect([made.status, made.body]).toEqual([
        201,
        {
          id: "bob",
          name: "Bob",
          isActive: true,
          creditBalance: 0,
          held: 0,
          createdAt: "2026-11-21T12:00:00.000Z",
        },
      ]);
      expect((await make({ id: "bob", name: "Robert" })).status).toBe(409);
      expect((await make({ name: "Carol" })).body.id).toMatch(/^acc_/);
      for (const id of ["house", "revenue", "a b", "", "__proto__", "constructor"])
        expect((await make({ id, name: "x" })).body.errors[0]).toMatch(/^id: /);
      const { body } = await desk.byAdmin("GET", "/api/admin/accounts?limit=2");
      expect([body.results.length, body.total, body.limit]).toEqual([2, 3, 2]);
    });

    it("the operator refunds a charge once, in whole or in part", async () => {
      const { money, accounts } = desk.store;
      await accounts.ensure({ id: "ida", name: "Ida", at: desk.now() });
      await accounts.credit({
        accountId: "ida",
        amount: 90,
        kind: "topup",
        reference: "ida-1",
        at: desk.now(),
      });
      for (const [id, cost] of [
        ["whole", 30],
        ["part", 40],
      ] as const) {
        const generation = { id, accountId: "ida", modality: "text", model: "m" } as const;
        await money.reserve({ generation, amount: cost, at: desk.now(), policy: "strict" });
        if (id === "part")
          expect(
            (await desk.byAdmin("POST", "/api/admin/accounts/ida/refunds", { generationId: id })).body,
          ).toMatchObject({ status: 400, errors: ["amount: the generation was charged 0 USD."] });
        await money.settle({ id, accountId: "ida", status: "succeeded", cost });
      }
      const back = (body: object) => desk.byAdmin("POST", "/api/admin/accounts/ida/refunds", body);
      const whole = await back({ generationId: "whole" });
      expect([whole.status, whole.body]).toEqual([
        201,
        expect.objectContaining({ amount: 0.00003, refunded: true, creditBalance: 0.00005 }),
      ]);
      const again = await back({ generationId: "whole", amount: 0.00001 });
      expect([again.status, again.body]).toEqual([
        200,
        expect.objectContaining({ amount: 0.00003, refunded: false, creditBalance: 0.00005 }),
      ]);
      expect((await back({ generationId: "part", amount: 0.000041 })).body.errors).toEqual([
        "amount: the generation was charged 0.00004 USD.",
      ]);
      expect((await back({ generationId: "part", amount: 0.00001 })).body.creditBalance).toBe(0.00006);
      expect((await back({ generationId: "nothing" })).status).toBe(404);
      const other = await desk.byAdmin("POST", "/api/admin/accounts/acc/refunds", { generationId: "part" });
      expect([other.status, other.body.errors]).toEqual([404, ["The account has no such generation."]]);
      expect(await money.audit()).toEqual([]);
    });

    it("the operator gives credit once for each reference, and reads the ledger", async () => {
      await desk.byAdmin("POST", "/api/admin/accounts", { id: "dan", name: "Dan" });
      const give = (body: unknown) => desk.byAdmin("POST", "/api/admin/accounts/dan/credit", body);
      const first = await give({ amount: 2.5, reference: "invoice-7" });
      expect([first.status, first.body]).toEqual([
        201,
        expect.objectContaining({ creditBalance: 2.5, reference: "invoice-7", credited: true }),
      ]);
      expect((await give({ amount: 2.5, reference: "invoice-7" })).body).toMatchObject({
        creditBalance: 2.5,
        credited: false,
      });
      for (const [id, other] of [
        ["dan", { amount: 2.6 }],
        ["dan", { amount: 2.5, kind: "writeoff" }],
        ["acc", { amount: 2.5 }],
      ] as const) {
        const body = { ...other, reference: "invoice-7" };
        const reply = await desk.byAdmin("POST", `/api/admin/accounts/${id}/credit`, body);
        expect([reply.status, reply.body.code]).toEqual([409, "reference_taken"]);
      }
      desk.pass(1_000);
      expect((await give({ amount: 0.1, kind: "writeoff" })).body.creditBalance).toBe(2.6);
      for (const amount of [0, -1, "5", 1e10])
        expect((await give({ amount })).body.errors[0]).toMatch(/^amount: /);
      for (const reference of ["charge:1", "correction:1", "refund:1"]) {
        const { status, body } = await give({ amount: 1, reference });
        expect([status, body.errors[0]]).toEqual([400, expect.stringMatching(/^reference: .*charge:/)]);
      }
      const ledger = await desk.byAdmin("GET", "/api/admin/accounts/dan/ledger?limit=1");
      expect(ledger.body).toMatchObject({ total: 2, results: [{ kind: "writeoff", amount: 0.1 }] });
      expect((await desk.byAdmin("GET", "/api/admin/accounts/nobody/ledger")).status).toBe(404);
    });

    it("the operator makes keys for existing accounts, and is never shown them again", async () => {
      const made = await desk.byAdmin("POST", "/api/admin/accounts/acc/api-keys", { name: "given" });
      const works = () =>
        desk.send("GET", "/api/compat/v1/balance", { headers: { "x-api-key": made.body.key } });
      expect((await works()).status).toBe(200);
      const path = `/api/admin/accounts/acc/api-keys/${made.body.id}`;
      expect((await desk.byAdmin("POST", `${path}/reveal`)).status).toBe(404);
      expect((await desk.byAdmin("DELETE", path)).status).toBe(200);
      expect((await works()).status).toBe(401);
      expect((await desk.byAdmin("POST", "/api/admin/accounts/nobody/api-keys", { name: "x" })).status).toBe(
        404,
      );
    });

    it("the operator closes and opens an account with immediate effect", async () => {
      const balance = async () => (await desk.byKey("/api/compat/v1/balance")).status;
      expect(await balance()).toBe(200);
      await desk.byAdmin("PATCH", "/api/admin/accounts/acc", { isActive: false });
      expect(await balance()).toBe(401);
      await desk.byAdmin("PATCH", "/api/admin/accounts/acc", { isActive: true, name: "Ada L." });
      expect(await balance()).toBe(200);
      expect((await desk.byAdmin("GET", "/api/admin/accounts/acc")).body.name).toBe("Ada L.");
    });

    it("the operator sets passwords, and no two accounts share a login", async () => {
      const set = (id: string, body: unknown) =>
        desk.byAdmin("POST", `/api/admin/accounts/${id}/password`, body);
      expect((await set("acc", { login: "ada", password: "long enough" })).body.login).toBe("ada");
      expect((await set("dan", { login: "ada", password: "long enough" })).status).toBe(409);
      expect((await set("dan", { password: "short" })).body.errors[0]).toMatch(/^password: /);
      expect(desk.lines.join("\n")).not.toContain("long enough");
    });

    it("the operator sees what each account spent in 30 days, and what moved on each day", async () => {
      const seen = async () => {
        const { body: listed } = await desk.byAdmin("GET", "/api/admin/accounts?with=spend");
        const { body: books } = await desk.byAdmin("GET", "/api/admin/books");
        const spent = listed.results.find(({ id }: { id: string }) => id === "acc").spend30Days;
        return { spent, day: books.results[0].day, charged: books.results[0].charged };
      };
      const before = await seen();
      await generate(desk, "g0", { cost: 30 });
      const after = await seen();
      expect(after.day).toBe(new Date(desk.now()).toISOString().slice(0, 10));
      expect(after.spent - before.spent).toBeCloseTo(0.00003, 9);
      expect(after.charged - before.charged).toBeCloseTo(0.00003, 9);
      expect((await desk.byAdmin("GET", "/api/admin/books?from=never")).status).toBe(400);
    });

    it("the operator's audit shows whether everything adds up", async () => {
      await generate(desk, "g1", { cost: 30 });
      expect((await desk.byAdmin("GET", "/api/admin/audit")).body).toMatchObject({ differences: [] });
      await generate(desk, "g2", { cost: 31 });
      expect((await desk.byAdmin("GET", "/api/admin/audit")).body.differences).toEqual([
        {
          invariant: "a charge is what its usage costs at its price",
          subject: "g2",
          expected: 30,
          actual: 31,
        },
      ]);
    });
  });
});
