import { hashPassword } from "@manifold-gateway/gateway/admin";
import { lookupHash, mintKey, prefixOf } from "@manifold-gateway/store";
import { afterEach, describe, expect, it } from "vitest";
import { createEvents } from "../../../packages/gateway/src/observe/events.ts";
import { createListener } from "../../../packages/gateway/src/observe/listener.ts";
import { ADMIN } from "../../support/caller.ts";
import { ADA, OTHER } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";

interface Told {
  event: string;
  data: Record<string, unknown>;
}

const OWN = "/api/compat/v1/events";
const ALL = "/api/admin/events";
const MODEL = "sim-chatstyle";

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

/** Reads events from an answer as they come. */
function follow(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const told: Told[] = [];
  let text = "";
  const read = async (): Promise<boolean> => {
    const { done, value = "" } = await reader.read();
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      if (event && data) told.push({ event, data: JSON.parse(data) as Told["data"] });
    }
    return !done;
  };
  return {
    told,
    async until(is: (told: Told) => boolean): Promise<void> {
      while (!told.some(is)) if (!(await read())) throw new Error("the events ended before that");
    },
    async ended(): Promise<void> {
      while (await read());
    },
    leave: () => reader.cancel(),
  };
}

async function open(options: Parameters<typeof startStage>[0] = {}) {
  const made = await startStage({ holders: [ADA, OTHER], ...options });
  stage = made;
  const leave = new AbortController();
  const listen = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(made.origin + path, { headers, signal: leave.signal });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(response.headers.get("connection")).toBe("keep-alive");
    return follow(response);
  };
  const chat = async (key: string, content = "Hello") => {
    const answer = await made.call(
      CHAT,
      { model: MODEL, messages: [{ role: "user", content }] },
      { headers: { "x-api-key": key } },
    );
    await answer.text();
    return answer.headers.get("x-request-id");
  };
  return { ...made, listen, chat, leave };
}

const isEnd = ({ event, data }: Told): boolean => event === "request" && data.state === "ended";

describe("events", () => {
  it("tell an account of its own requests, and an operator of all, with their providers", async () => {
    const { listen, chat } = await open();
    const own = await listen(OWN, { "x-api-key": ADA.key });
    const all = await listen(ALL, { "x-admin-key": ADMIN });
    const other = await chat(OTHER.key);
    const mine = await chat(ADA.key);
    await own.until(isEnd);
    await all.until(({ event, data }) => isEnd({ event, data }) && data.request === mine);
    expect(own.told.map(({ event, data }) => [event, data.state ?? data.status, data.request])).toEqual([
      ["request", "started", mine],
      ["attempt", "sent", mine],
      ["attempt", "answered", mine],
      ["settled", "succeeded", mine],
      ["request", "answering", mine],
      ["request", "ended", mine],
    ]);
    expect(JSON.stringify(own.told)).not.toMatch(/"provider"|"account"/);
    expect(all.told.filter(({ data }) => data.request === other).map(({ data }) => data.account)).toContain(
      OTHER.id,
    );
    expect(all.told.find(({ event }) => event === "attempt")?.data).toMatchObject({ provider: "chatstyle" });
    await Promise.all([own.leave(), all.leave()]);
  });

  it("tell operators of circuits", async () => {
    const { listen, chat, simulator } = await open({ routing: { circuit: { failures: 1 } } });
    const all = await listen(ALL, { "x-admin-key": ADMIN });
    simulator.script("[[fault:status=500]]", { protocol: "chatstyle", times: 9 });
    await chat(ADA.key);
    await all.until(({ event, data }) => event === "circuit" && data.circuit === "open");
    expect(all.told.find(({ event }) => event === "circuit")?.data).toMatchObject({ account: ADA.id });
    await all.leave();
  });

  it("end when the service stops, which does not wait for their readers", async () => {
    const { listen, gateway } = await open();
    const own = await listen(OWN, { "x-api-key": ADA.key });
    await gateway.drain();
    await own.ended();
    expect(own.told).toEqual([]);
  });

  it("end when the session does", async () => {
    const sessions = { key: { secret: "0123456789abcdef0123456789abcdef" }, issuer: "t", audience: "t" };
    const { listen, store, origin } = await open({ sessions });
    const password = "correct horse battery";
    const at = Date.now();
    await store.accounts.setPassword({ id: ADA.id, login: "ada", hash: await hashPassword(password), at });
    const signedIn = await fetch(`${origin}/api/auth/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ account: "ada", password }),
    });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const own = await listen(OWN, { cookie });
    const signedOut = await fetch(`${origin}/api/auth/session`, {
      method: "DELETE",
      headers: { cookie, "sec-fetch-site": "same-origin", "x-console": "1" },
    });
    expect(signedOut.status).toBe(200);
    await own.ended();
  }, 15_000);

  it("end when a key expires, when another process revokes one, and when the operator signs out", async () => {
    const { listen, store, origin } = await open();
    const at = Date.now();
    const expiresAt = at + 1_500;
    const keep = async (id: string, restrictions = {}) => {
      const key = mintKey();
      const secret = { prefix: prefixOf(key), hash: lookupHash(key) };
      await store.keys.create({ id, accountId: ADA.id, name: id, ...secret, at, restrictions });
      return key;
    };
    const expiring = await listen(OWN, { "x-api-key": await keep("expiring", { expiresAt }) });
    const revoked = await listen(OWN, { "x-api-key": await keep("revoked") });
    const console = { "sec-fetch-site": "same-origin", "x-console": "1" };
    const post = { method: "POST", headers: { ...console, "content-type": "application/json" } };
    const path = `${origin}/api/auth/operator`;
    const signedIn = await fetch(path, { ...post, body: JSON.stringify({ key: ADMIN }) });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const all = await listen(ALL, { cookie });
    await store.keys.revoke({ accountId: ADA.id, id: "revoked" }, at);
    await revoked.ended();
    expect((await fetch(path, { method: "DELETE", headers: { ...console, cookie } })).status).toBe(200);
    await all.ended();
    await expiring.ended();
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
  }, 15_000);

  it("are listened to by so many of one owner, and again when one has left", async () => {
    const { listen, origin, leave } = await open();
    const headers = { "x-api-key": ADA.key };
    const open8 = await Promise.all(Array.from({ length: 8 }, () => listen(OWN, headers)));
    const refused = await fetch(origin + OWN, { headers });
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: "too_many_listeners" }]);
    await (await listen(OWN, { "x-api-key": OTHER.key })).leave();
    await open8[0]?.leave();
    for (;;) {
      const again = await fetch(origin + OWN, { headers });
      if (again.status === 200) break;
      await again.text();
    }
    leave.abort();
  });

  it("are nothing while nobody listens", () => {
    const events = createEvents(
      () => 0,
      () => 0,
    );
    expect(events.observer()).toBeUndefined();
    const listener = events.listen({ owner: "o" });
    expect(events.observer()).toBeDefined();
    listener.close();
    expect(events.observer()).toBeUndefined();
  });

  it("that a slow reader did not take are counted, the oldest first", () => {
    const listener = createListener(() => {});
    for (let n = 0; n < 537; n++) listener.send({ event: "job", data: { n } });
    const taken = listener.take();
    expect(taken.length).toBe(501);
    expect(taken.slice(0, 2)).toEqual([
      { event: "gap", data: { left: 37 } },
      { event: "job", data: { n: 37 } },
    ]);
    expect(listener.take()).toEqual([]);
  });
});
