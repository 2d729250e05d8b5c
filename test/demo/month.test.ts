import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMonth, models } from "@manifold-gateway/demo";
import { createSimulator } from "@manifold-gateway/simulator";
import { MODALITIES, openSqlite, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDemoHost } from "../../apps/server/src/commands/demo-host.ts";
import { embeddedConfig } from "../../apps/server/src/config/embedded.ts";

const UNTIL = Date.UTC(2026, 2, 31, 12);
const DAY = 24 * 3_600_000;
const secrets = { session: "5".repeat(64), seal: "6".repeat(64) };

/** A month of little traffic, in a store that stays open, and what tells one month from another. */
async function make(
  seed: string,
  { requests = 40, until = UNTIL } = {},
): Promise<{ store: Store; told: unknown; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-demo-"));
  const simulator = createSimulator({ seed });
  const { origin } = await simulator.listen();
  const store = await openSqlite({ path: ":memory:", busy: Number.POSITIVE_INFINITY });
  const env = { DATABASE_URL: `sqlite:${join(folder, "manifold.db")}` };
  const config = embeddedConfig(origin, env, secrets, models);
  const host = createDemoHost(config, store);
  await makeMonth({ host, simulator, requests, seed, until });
  await simulator.close();
  const { results } = await store.accounts.list({ offset: 0, limit: 10 });
  const told = await Promise.all(
    results.map(async ({ id, name, balance }) => ({
      name,
      balance,
      records: (await recordsOf(store, id)).map(({ model, status, cost }) => ({ model, status, cost })),
    })),
  );
  return {
    store,
    told,
    async close() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function recordsOf(store: Store, accountId: string) {
  const { results } = await store.generations.list({ accountId }, { offset: 0, limit: 100 });
  return results;
}

describe("a month made for the demonstration", () => {
  let month: Awaited<ReturnType<typeof make>>;
  let all: Awaited<ReturnType<typeof recordsOf>>;
  beforeAll(async () => {
    month = await make("one");
    const { results } = await month.store.accounts.list({ offset: 0, limit: 10 });
    all = (await Promise.all(results.map(({ id }) => recordsOf(month.store, id)))).flat();
  }, 60_000);
  afterAll(() => month?.close());

  it("is of three accounts with twelve keys, and of thirty days", async () => {
    const { results } = await month.store.accounts.list({ offset: 0, limit: 10 });
    expect(results.map(({ name }) => name).sort()).toEqual(["Field Lab", "Harbour Books", "dev"]);
    const keys = await Promise.all(results.map(({ id }) => month.store.keys.list(id)));
    expect(keys.flat()).toHaveLength(12);
    for (const { createdAt } of all) {
      expect(createdAt).toBeGreaterThan(UNTIL - 30 * DAY);
      expect(createdAt).toBeLessThan(UNTIL);
    }
  });

  it("has every modality and every end, a loss, and a second attempt", () => {
    const of = <T>(list: T[]) => [...new Set(list)].sort();
    expect(of(all.map(({ modality }) => modality))).toEqual([...MODALITIES].sort());
    expect(of(all.map(({ status }) => status))).toEqual(["aborted", "cancelled", "failed", "succeeded"]);
    const routes = all.map(({ route }) => JSON.stringify(route));
    expect(routes.some((route) => /"losses":\[\{/.test(route))).toBe(true);
    expect(routes.some((route) => /"attempts":\[\{[^\]]*"status":503[^\]]*\},\{/.test(route))).toBe(true);
  });

  it("has an asset that is active and one that failed, refunds, a write-off and a refused operator", async () => {
    const [dev] = (await month.store.accounts.list({ offset: 0, limit: 10 })).results.filter(
      ({ name }) => name === "dev",
    );
    const filter = { accountId: dev?.id ?? "", kind: "identity" as const };
    const assets = await month.store.assets.list(filter, { offset: 0, limit: 10 });
    expect(assets.results.map(({ state }) => state).sort()).toEqual(["active", "failed"]);
    const acts = await month.store.auditLog.list({}, { offset: 0, limit: 500 });
    const actions = new Set(acts.results.map(({ action }) => action));
    for (const action of ["charge_refunded", "key_revoked", "operator_refused", "account_credited"])
      expect(actions).toContain(action);
  });

  it("has answers whose first token took its time by the clock of the month", () => {
    const speeds = all.flatMap(({ route, durationMs = 0 }) => {
      const { firstTokenMs } = (route?.speed ?? {}) as { firstTokenMs?: number };
      return firstTokenMs === undefined ? [] : [{ firstTokenMs, durationMs }];
    });
    expect(speeds.length).toBeGreaterThan(10);
    for (const { firstTokenMs, durationMs } of speeds) {
      expect(firstTokenMs).toBeGreaterThan(240);
      expect(firstTokenMs).toBeLessThanOrEqual(durationMs);
    }
    expect(speeds.some(({ firstTokenMs, durationMs }) => firstTokenMs < durationMs)).toBe(true);
  });

  it("keeps books that add up", async () => {
    expect(await month.store.money.audit()).toEqual([]);
  });

  it("is the same for the same seed, and another for another", async () => {
    const few = { requests: 10 };
    const [one, same, other] = [await make("one", few), await make("one", few), await make("two", few)];
    await Promise.all([one.close(), same.close(), other.close()]);
    expect(same.told).toEqual(one.told);
    expect(other.told).not.toEqual(one.told);
  }, 60_000);

  it("refunds only what was charged, where the last generation of an account failed", async () => {
    const one = await make("demo", { requests: 5, until: 1_775_031_634_567 });
    expect(await one.store.money.audit()).toEqual([]);
    await one.close();
  }, 60_000);
});
