import { type Counts, costOf, type Price } from "@manifold-gateway/store";
import { describe, expect, it } from "vitest";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";
import { useAllDatabases } from "./databases.ts";
import { AUDIENCE, ISSUER, PASSWORD, SECRET } from "./desk.ts";

const PATH = "/api/chatstyle/v1/chat/completions";
const ask = (id = "sim-chatstyle", more = {}) => ({
  model: id,
  messages: [{ role: "user", content: "Hello there" }],
  ...more,
});
const page = { offset: 0, limit: 10 };

const free = (price: Record<string, number>) =>
  model("sim-chatstyle-free", "chatstyle", {
    entries: [{ provider: "chatstyle", name: "sim-chatstyle", priority: 1, isActive: true, price }],
  });

describe.each(useAllDatabases())("the money of requests on $name", ({ make }) => {
  describe("free requests", () => {
    it.each<Record<string, number>>([{}, { input: 0, output: 0 }])(
      "a free request at %o is served on an empty balance and an empty cap",
      async (price) => {
        const h = await startStage({ make, credit: 0, models: [free(price)] });
        await h.store.keys.change({ accountId: "acc", id: "key" }, { caps: { daily: 0, total: 0 } });
        const response = await h.call(PATH, ask("sim-chatstyle-free"));
        expect(response.status).toBe(200);
        const { results } = await h.store.generations.list({ accountId: "acc" }, page);
        expect(results).toMatchObject([{ status: "succeeded", cost: 0 }]);
        expect((await h.call(PATH, ask())).status).toBe(403);
        expect(await h.store.money.audit()).toEqual([]);
        await h.close();
      },
    );
  });

  describe("refusals by a cap", () => {
    const caps = { daily: 86_400, weekly: 604_800, monthly: 2_678_400, total: undefined } as const;
    it.each(Object.entries(caps))(
      "a refusal by the %s cap says when to come back, at the latest after %s s",
      async (cap, most) => {
        const h = await startStage({ make });
        await h.store.keys.change({ accountId: "acc", id: "key" }, { caps: { [cap]: 0 } });
        const { status, headers } = await h.call(PATH, ask());
        expect([status, headers.get("x-should-retry")]).toEqual([429, "false"]);
        const after = headers.get("retry-after");
        if (most === undefined) expect(after).toBeNull();
        else expect(Number(after)).toSatisfy((seconds: number) => seconds >= 1 && seconds <= most);
        expect(h.simulator.ledger.entries).toHaveLength(0);
        await h.close();
      },
    );

    it("a session is never refused by a cap, because it pays from the balance", async () => {
      const h = await startStage({
        make,
        sessions: { key: { secret: SECRET }, issuer: ISSUER, audience: AUDIENCE },
        adminKey: SECRET,
      });
      await h.store.keys.change({ accountId: "acc", id: "key" }, { caps: { total: 0 } });
      const admin = { headers: { "x-admin-key": SECRET } };
      await h.call("/api/admin/accounts/acc/password", { login: "ada", password: PASSWORD }, admin);
      const { token } = await (
        await h.call("/api/auth/sign-in", { account: "ada", password: PASSWORD })
      ).json();
      const before = (await h.balance()).balance;
      const send = (path: string) =>
        fetch(h.origin + path, {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify(ask()),
        });
      const response = await send("/api/v1/text/completions");
      expect([response.status, (await response.text()).endsWith("data: [DONE]\n\n")]).toEqual([200, true]);
      expect((await h.balance()).balance).toBeLessThan(before);
      const { results } = await h.store.generations.list({ accountId: "acc" }, page);
      expect(results[0]).not.toHaveProperty("keyId");
      expect((await send(PATH)).status).toBe(401);
      await h.close();
    });
  });

  it("the reservation itself refuses a key that another process has disabled", async () => {
    const h = await startStage({ make });
    expect((await h.call(PATH, ask())).status).toBe(200);
    await h.store.keys.change({ accountId: "acc", id: "key" }, { isActive: false });
    const refused = await h.call(PATH, ask());
    expect([refused.status, (await refused.json()).success]).toEqual([401, false]);
    expect(h.simulator.ledger.entries).toHaveLength(1);
    await h.close();
  });

  describe("a process that dies", () => {
    /** A clock that is a second later at each reading. */
    const hasty = () => {
      let at = Date.now();
      return () => {
        at += 1_000;
        return at;
      };
    };
    const stream = async (h: Stage, id: string): Promise<void> => {
      // The pauses leave time for a checkpoint, for which the stream does not wait.
      const messages = [{ role: "user", content: "Hello there [[fault:slow=20]]" }];
      await (await h.call(PATH, ask(id, { stream: true, max_tokens: 200, messages }))).text();
    };

    it.each(["sim-chatstyle", "sim-msgstyle"])(
      "a process that dies leaves checkpoints of what %s had streamed",
      async (id) => {
        const h = await startStage({ make, steady: hasty() });
        await stream(h, id);
        const { results } = await h.store.generations.list({ accountId: "acc" }, page);
        const [generation] = results;
        expect(generation?.dispatchedAt).toBe(generation?.createdAt);
        const { checkpoint, price, held, cost } = generation!;
        expect(checkpoint).toMatchObject({ requests: 1 });
        const noted = costOf(checkpoint as Counts, price as Price);
        expect(noted).toBeGreaterThan(0);
        // Before the provider's own count, which comes last, texts are counted by their bytes: only the hold bounds that.
        expect(noted).toBeLessThanOrEqual((checkpoint?.estimated ? held : cost) ?? 0);
        await h.close();
      },
    );

    it("the work of a dead process is charged once by its checkpoints, and the books add up", async () => {
      const database = await (make ?? makeSqlite)();
      const gone = await database.open();
      await gone.accounts.ensure({ id: "acc", name: "Ada", at: 1 });
      await gone.accounts.credit({ accountId: "acc", amount: 1_000, kind: "topup", reference: "x", at: 1 });
      const reserve = (id: string) =>
        gone.money.reserve({
          generation: { id, accountId: "acc", modality: "text", model: "m", price: { output: 2_000_000 } },
          amount: 100,
          at: 1,
          policy: "threshold",
          dispatched: true,
        });
      await reserve("noted");
      await reserve("silent");
      await gone.money.checkpoint("noted", { input: 3, output: 7, requests: 1, estimated: true });
      await gone.close();
      const store = await database.open();
      const recover = () => store.money.recover(Date.now());
      expect(await recover()).toEqual({ settled: 1, released: 1 });
      expect(await recover()).toEqual({ settled: 0, released: 0 });
      expect(await store.generations.get({ id: "noted", accountId: "acc" })).toMatchObject({
        status: "failed",
        cost: 14,
        usage: { output: 7, estimated: true, recovered: true },
      });
      expect(await store.accounts.get("acc")).toMatchObject({ balance: 986, held: 0 });
      expect(await store.money.audit()).toEqual([]);
      await store.close();
      await database.drop();
    });
  });
});
