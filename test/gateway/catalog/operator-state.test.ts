import { afterEach, expect, it } from "vitest";
import { ADMIN, sendTo } from "../../support/caller.ts";
import { ADA, OTHER } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

interface EntryState {
  id: string;
  model: string;
  isActive: boolean;
  circuit: string;
}
const MODEL = "sim-chatstyle";

async function open() {
  const at = await startStage({
    holders: [ADA, OTHER],
    routing: { circuit: { failures: 1 } },
  });
  stage = at;
  const admin = async (method: "GET" | "POST" | "PATCH", path: string, body?: unknown) => {
    const answer = await sendTo(at.gateway, method, `/api/admin${path}`, { "x-admin-key": ADMIN }, body);
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const entry = async (): Promise<EntryState> => {
    const { json } = await admin("GET", "/state");
    const all = (json.providers as { entries: EntryState[] }[]).flatMap(({ entries }) => entries);
    return all.find(({ model }) => model === MODEL)!;
  };
  const chat = (key: string) =>
    sendTo(
      at.gateway,
      "POST",
      CHAT,
      { "x-api-key": key },
      { model: MODEL, messages: [{ role: "user", content: "Hello" }] },
    );
  return { ...at, admin, entry, chat };
}

it("the state names providers by host and key, and never the key itself", async () => {
  const { admin } = await open();
  const { status, json } = await admin("GET", "/state");
  expect(status).toBe(200);
  expect(json).toMatchObject({ unknownProviders: [] });
  expect((json.providers as object[])[0]).toMatchObject({
    hasKey: true,
    host: expect.stringMatching(/:\d+$/),
  });
  expect(JSON.stringify(json)).not.toContain("upstream-secret");
});

it("an entry is paused in the store, and serves again, with both in the audit log", async () => {
  const { admin, entry, chat, store } = await open();
  const { id } = await entry();
  expect((await chat(ADA.key)).status).toBe(200);
  expect((await admin("POST", `/entries/${id}`, { isActive: false })).json).toMatchObject({
    isActive: false,
  });
  const refused = await chat(ADA.key);
  expect([refused.status >= 400, await refused.text()]).toEqual([true, expect.stringContaining("inactive")]);
  const [stored] = (await store.catalog.list<{ id: string; isActive: boolean; entries: object[] }>()).filter(
    (model) => model.id === MODEL,
  );
  expect(stored?.entries).toMatchObject([{ isActive: false }]);
  await admin("POST", `/entries/${id}`, { isActive: true });
  expect((await chat(ADA.key)).status).toBe(200);
  const { results } = await store.auditLog.list({ subject: MODEL }, { offset: 0, limit: 10 });
  expect(results.map(({ actor, action }) => [actor, action])).toEqual([
    ["operator:operator", "model_changed"],
    ["operator:operator", "model_created"],
  ]);
});

it("a model is stopped and served again, with both in the audit log", async () => {
  const { admin, chat, store } = await open();
  const stop = (isActive: boolean) => admin("PATCH", `/models/${MODEL}`, { isActive });
  expect((await stop(false)).json).toEqual({ model: MODEL, isActive: false });
  const refused = await chat(ADA.key);
  expect([refused.status >= 400, await refused.text()]).toEqual([true, expect.stringContaining(MODEL)]);
  await stop(true);
  expect((await chat(ADA.key)).status).toBe(200);
  const { results } = await store.auditLog.list({ subject: MODEL }, { offset: 0, limit: 10 });
  expect(results.map(({ action, after }) => [action, (after as { isActive?: boolean }).isActive])).toEqual([
    ["model_changed", true],
    ["model_created", false],
  ]);
  expect((await admin("PATCH", "/models/of/nobody", { isActive: false })).status).toBe(404);
});

it("an open circuit is seen and reset, which the audit log says", async () => {
  const { admin, entry, chat, simulator, store } = await open();
  const { id } = await entry();
  simulator.script("[[fault:status=500]]", { protocol: "chatstyle", times: 9 });
  await chat(ADA.key);
  await chat(OTHER.key);
  expect(await entry()).toMatchObject({ circuit: "open", openSince: expect.stringMatching(/^\d{4}-.*Z$/) });
  const { json } = await admin("POST", `/circuits/${id}/reset`);
  expect(json).toMatchObject({ circuit: "closed", failures: 0 });
  expect(await entry()).toMatchObject({ circuit: "closed" });
  const { results } = await store.auditLog.list({ actions: ["circuit_reset"] }, { offset: 0, limit: 10 });
  expect(results).toMatchObject([{ actor: "operator:operator", subject: id, before: { circuit: "open" } }]);
});

it("an unknown entry, provider or generation is a 404", async () => {
  const { admin } = await open();
  for (const [path, code] of [
    ["/circuits/nobody/reset", "entry_not_found"],
    ["/entries/nobody", "entry_not_found"],
    ["/providers/nobody/test", "provider_not_found"],
  ] as const)
    expect(await admin("POST", path, { isActive: true })).toMatchObject({ status: 404, json: { code } });
  expect(await admin("GET", "/generations/nobody")).toMatchObject({ status: 404 });
});

it("a provider is asked for its models, and its failure is reported", async () => {
  const { admin, simulator } = await open();
  const { json } = await admin("POST", "/providers/chatstyle/test");
  expect(json).toMatchObject({ isReached: true, models: expect.arrayContaining([expect.any(String)]) });
  await simulator.close();
  const down = await admin("POST", "/providers/chatstyle/test");
  expect(down.json).toMatchObject({ isReached: false, error: expect.any(String) });
});

it("the records of all accounts are listed page by page, with providers, and without texts", async () => {
  const { admin, chat, settled } = await open();
  for (const key of [ADA.key, OTHER.key, ADA.key]) await (await chat(key)).text();
  await settled();
  const seen: Record<string, unknown>[] = [];
  let next: unknown;
  do {
    const query = next === undefined ? "" : `&before=${next}`;
    const { json } = await admin("GET", `/generations?limit=2${query}`);
    seen.push(...(json.results as Record<string, unknown>[]));
    next = json.next;
  } while (next !== undefined);
  expect(seen.map(({ userId }) => userId)).toEqual([ADA.id, OTHER.id, ADA.id]);
  expect(seen[0]).toMatchObject({ provider: "chatstyle", name: MODEL });
  expect(seen[0]).not.toHaveProperty("request");
  const { json } = await admin("GET", `/generations/${seen[1]?.id}`);
  expect(json).toMatchObject({ userId: OTHER.id, candidates: [{ provider: "chatstyle" }] });
});
