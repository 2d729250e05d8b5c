import { createFetchTransport, defineProvider } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { afterEach, describe, expect, it } from "vitest";
import type { KeyOptions } from "../../../packages/providers/src/credentials.ts";
import { ADMIN } from "../../support/caller.ts";
import { recordLog } from "../../support/log.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, price } from "../../support/text.ts";

const KEYS = ["secret-of-one", "secret-of-two", "secret-of-three"];

interface Vault extends Stage {
  /** The keys that calls came with, in order. */
  used: string[];
  /** The answers by key, where they are not the simulator's. */
  answers: Map<string, () => Response>;
  pass(ms: number): void;
  logged(): string;
}

let vault: Vault | undefined;
afterEach(async () => {
  await vault?.settled();
  expect(await vault?.store.money.audit()).toEqual([]);
  await vault?.close();
  vault = undefined;
});

const refusing =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error: { message: "no", type: "x" } }, { status, headers });

/** A gateway whose provider is the simulator, called with several keys that it may refuse. */
async function open(
  key: KeyOptions = KEYS,
  protocol: "chatstyle" | "responses" = "chatstyle",
): Promise<Vault> {
  const simulator = createSimulator();
  const used: string[] = [];
  const answers: Vault["answers"] = new Map();
  let ahead = 0;
  const { log, entries } = recordLog();
  const fetch = (request: Request) => {
    const sent = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
    used.push(sent);
    return answers.get(sent)?.() ?? simulator.fetch(request);
  };
  const provider = defineProvider("p", { origin: "http://simulator.test", speaks: [protocol], key });
  const entry = { provider: "p", name: "native", priority: 1, isActive: true, price };
  const stage = await startStage({
    listens: false,
    models: [
      model("m", "", { entries: [entry] }),
      model("v", "", { entries: [entry], outputModalities: ["embedding"] }),
    ],
    providers: new Map([["p", provider]]),
    transport: createFetchTransport({ fetch }),
    now: () => Date.now() + ahead,
    log,
  });
  return {
    ...stage,
    used,
    answers,
    pass: (ms) => {
      ahead += ms;
    },
    logged: () => JSON.stringify(entries),
  };
}

const say = (text: string) => ({ model: "m", messages: [{ role: "user", content: text }] });
const texts = (count: number) => Array.from({ length: count }, (_, i) => `conversation ${i}`);
const stateOf = async ({ json }: Vault) => {
  const state = await json("/api/admin/state", undefined, 200, { headers: { "x-admin-key": ADMIN } });
  return state.providers[0];
};

describe("several credentials of a provider", () => {
  it("turns of a conversation are sent with one credential, and conversations are spread over all", async () => {
    vault = await open();
    for (const text of texts(24)) {
      await vault.call(CHAT, say(text));
      const next = [
        { role: "user", content: text },
        { role: "assistant", content: "yes" },
      ];
      await vault.call(CHAT, { model: "m", messages: [...next, { role: "user", content: "more" }] });
      expect(vault.used.at(-1)).toBe(vault.used.at(-2));
    }
    expect(new Set(vault.used)).toEqual(new Set(KEYS));
  });

  it.each([
    ["refused", 401, {}],
    ["without permission", 403, {}],
    ["without credit", 402, {}],
    ["asked to pause", 429, { "retry-after": "30" }],
  ])(
    "a request whose credential is %s goes on with another one, and later ones avoid it",
    async (_, status, headers) => {
      vault = await open();
      await vault.call(CHAT, say("hello"));
      const [first = ""] = vault.used;
      vault.answers.set(first, refusing(status, headers));
      const response = await vault.call(CHAT, say("hello"));
      expect(response.status).toBe(200);
      expect(vault.used[1]).toBe(first);
      expect(vault.used[2]).not.toBe(first);
      await vault.call(CHAT, say("hello"));
      expect(vault.used[3]).toBe(vault.used[2]);
      const { credentials, entries } = await stateOf(vault);
      const name = String(KEYS.indexOf(first) + 1);
      const state = status === 429 ? "cooling" : "denied";
      expect(credentials).toContainEqual(expect.objectContaining({ name, state, until: expect.any(String) }));
      expect(credentials.map((one: { calls: number }) => one.calls)).toEqual(
        KEYS.map((key) => vault?.used.filter((sent) => sent === key).length),
      );
      expect(entries[0]).toMatchObject({ circuit: "closed", failures: 0 });
      expect(entries[0].coolingUntil).toBeUndefined();
      const record = await vault.store.generations.get({
        id: response.headers.get("x-generation-id") ?? "",
        accountId: "acc",
      });
      expect(record?.route).toMatchObject({ attempts: [{ credential: name, status }, { status: 200 }] });
      // It is tried again once its time is over, and stays where it is well.
      vault.answers.clear();
      vault.pass(10 * 60_000);
      await vault.call(CHAT, say("hello"));
      expect(vault.used.at(-1)).toBe(first);
      expect((await stateOf(vault)).credentials.map((one: { state: string }) => one.state)).toEqual(
        KEYS.map(() => "ready"),
      );
      for (const key of KEYS) expect(vault.logged()).not.toContain(key);
      if (state === "denied") expect(vault.logged()).toContain("provider credential denied");
    },
  );

  it.each([401, 429])(
    "a credential refused with %i is used again once the clock is set back",
    async (status) => {
      vault = await open();
      await vault.call(CHAT, say("hello"));
      const [first = ""] = vault.used;
      vault.answers.set(first, refusing(status));
      await vault.call(CHAT, say("hello"));
      expect(vault.used.at(-1)).not.toBe(first);
      vault.answers.clear();
      vault.pass(-3_600_000);
      await vault.call(CHAT, say("hello"));
      expect(vault.used.at(-1)).toBe(first);
    },
  );

  it("a refusal that every credential meets takes none out, and is the answer", async () => {
    vault = await open();
    for (const key of KEYS) vault.answers.set(key, refusing(403));
    const response = await vault.call(CHAT, say("hello"));
    expect(response.status).toBe(403);
    expect(new Set(vault.used)).toEqual(new Set(KEYS));
    const { credentials } = await stateOf(vault);
    expect(credentials.map((one: { state: string }) => one.state)).toEqual(KEYS.map(() => "ready"));
  });

  it("an entry whose credentials all pause is asked to pause, until the first of them is over", async () => {
    vault = await open(KEYS.slice(0, 2));
    vault.answers.set(KEYS[0] as string, refusing(429, { "retry-after": "30" }));
    vault.answers.set(KEYS[1] as string, refusing(429, { "retry-after": "20" }));
    const response = await vault.call(CHAT, say("hello"));
    expect(response.status).toBe(429);
    const { entries, credentials } = await stateOf(vault);
    const ends = credentials.map(({ until }: { until: string }) => Date.parse(until)).sort();
    expect(Math.abs(Date.parse(entries[0].coolingUntil) - ends[0])).toBeLessThan(1_000);
  });

  it("credentials that are all refused are called nevertheless, and then the entry is failing", async () => {
    vault = await open(KEYS.slice(0, 2));
    for (const key of KEYS) vault.answers.set(key, refusing(401));
    expect((await vault.call(CHAT, say("hello"))).status).toBe(401);
    expect((await vault.call(CHAT, say("hello"))).status).toBe(401);
    const { entries } = await stateOf(vault);
    expect(entries[0].failures).toBeGreaterThan(0);
  });

  it("what a failed call may have cost is not sent again with another credential", async () => {
    vault = await open();
    for (const key of KEYS) vault.answers.set(key, refusing(500));
    expect((await vault.call(CHAT, say("hello"))).status).toBe(500);
    expect(vault.used).toHaveLength(1);
  });

  it("an answer that is continued by its id goes to the credential that made it", async () => {
    vault = await open(KEYS, "responses");
    const ids: [string, string][] = [];
    for (const input of texts(6)) {
      const made = await (await vault.call("/api/chatstyle/v1/responses", { model: "m", input })).json();
      ids.push([made.id, vault.used.at(-1) as string]);
    }
    for (const [previous_response_id, key] of ids) {
      const ask = { model: "m", input: "go on", previous_response_id };
      await vault.call("/api/chatstyle/v1/responses", ask);
      expect(vault.used.at(-1)).toBe(key);
    }
  });

  it("embeddings are spread over all credentials, and go on with another where one is refused", async () => {
    vault = await open();
    const embed = () => vault?.call("/api/chatstyle/v1/embeddings", { model: "v", input: "same" });
    for (let i = 0; i < 24; i++) expect((await embed())?.status).toBe(200);
    expect(new Set(vault.used)).toEqual(new Set(KEYS));
    for (const key of KEYS.slice(1)) vault.answers.set(key, refusing(401));
    for (let i = 0; i < 8; i++) expect((await embed())?.status).toBe(200);
    expect(vault.used.at(-1)).toBe(KEYS[0]);
  });

  it("the operator's explanation names the credential, the caller's does not", async () => {
    vault = await open([
      { name: "team-a", key: "secret-of-a" },
      { key: "secret-of-b", weight: 0 },
    ]);
    const explain = async (headers: Record<string, string>) =>
      (await vault?.call(CHAT, say("hello"), { headers: { "x-explain": "true", ...headers } }))?.json();
    const told = await explain({ "x-admin-key": ADMIN });
    expect(told.route.candidates[0]).toMatchObject({ credential: "team-a" });
    expect(JSON.stringify(told)).not.toContain("secret-of");
    expect(JSON.stringify(await explain({ "x-admin-key": "" }))).not.toContain("team-a");
    expect(vault.used).toEqual([]);
    const { credentials } = await stateOf(vault);
    expect(credentials.map((one: { calls: number }) => one.calls)).toEqual([0, 0]);
  });

  it("a credential of weight 0 is only used where no other is well", async () => {
    vault = await open([{ key: "secret-of-a" }, { key: "secret-of-b", weight: 0 }]);
    for (const text of texts(8)) await vault.call(CHAT, say(text));
    expect(new Set(vault.used)).toEqual(new Set(["secret-of-a"]));
    vault.answers.set("secret-of-a", refusing(401));
    expect((await vault.call(CHAT, say("hello"))).status).toBe(200);
    expect(vault.used.at(-1)).toBe("secret-of-b");
  });
});
