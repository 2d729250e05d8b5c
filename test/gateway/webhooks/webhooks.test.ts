import { createCatalog } from "@manifold-gateway/gateway";
import { createFetchTransport, createTransport, type Transport } from "@manifold-gateway/providers";
import { openSqlite, type Store } from "@manifold-gateway/store";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { entryId } from "../../../packages/gateway/src/routing/candidate.ts";
import { circuitOpened } from "../../../packages/gateway/src/webhooks/circuit.ts";
import { alertsFor, type WebhookEndpoint } from "../../../packages/gateway/src/webhooks/endpoint.ts";
import { bodyOf, WEBHOOK_EVENTS, webhookBodies } from "../../../packages/gateway/src/webhooks/events.ts";
import { waitAfter } from "../../../packages/gateway/src/webhooks/schedule.ts";
import { isWebhookSecret, signatureHeaders } from "../../../packages/gateway/src/webhooks/sign.ts";
import { createWebhooks } from "../../../packages/gateway/src/webhooks/webhooks.ts";
import { listen } from "../../support/listen.ts";
import { recordLog } from "../../support/log.ts";
import { startStage } from "../../support/stage.ts";
import { CHAT, model } from "../../support/text.ts";

const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString("base64")}`;
const SECRET = secretOf(new Uint8Array(32).fill(7));
const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const endpoint = (id: string, more: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  url: `http://${id}.test/hooks?of=${id}`,
  secrets: [SECRET],
  events: WEBHOOK_EVENTS,
  lowBalance: 5_000_000,
  ...more,
});

describe("signatures", () => {
  const bytes = fc.uint8Array({ minLength: 24, maxLength: 64 });

  it("a signature is what the specification's own library verifies, by any of its secrets", () => {
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 3 }), fc.string(), (keys, body) => {
        const secrets = keys.map(secretOf);
        expect(secrets.every(isWebhookSecret)).toBe(true);
        const text = JSON.stringify({ body });
        const timestamp = Math.floor(Date.now() / 1_000);
        const headers = signatureHeaders({ id: "evt_1", timestamp, body: text }, secrets);
        for (const secret of secrets) expect(new Webhook(secret).verify(text, headers)).toEqual({ body });
        expect(() => new Webhook(secrets[0]!).verify(`${text} `, headers)).toThrow();
        expect(() => new Webhook(secretOf(new Uint8Array(24))).verify(text, headers)).toThrow();
      }),
      { numRuns: 30 },
    );
  });

  it.each(["", "whsec_", "whsec_c2hvcnQ=", "whsec_!!!", SECRET.slice(6), secretOf(new Uint8Array(65))])(
    "a secret cannot be %j",
    (text) => expect(isWebhookSecret(text)).toBe(false),
  );
});

describe("the schedule of tries", () => {
  it("waits grow, and end about a day after the first try", () => {
    const waits: number[] = [];
    for (let tries = 1; ; tries++) {
      const wait = waitAfter(tries, 0);
      if (wait === undefined) break;
      expect(waitAfter(tries, 1)).toBeLessThanOrEqual(wait * 1.1);
      waits.push(wait);
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    expect(Math.abs(total - DAY)).toBeLessThan(DAY / 20);
  });
});

describe("deliveries", () => {
  interface Sent {
    to: string;
    event: { type: string; data: Record<string, unknown> };
    headers: Headers;
  }
  let store: Store;
  let now = NOW;
  let sent: Sent[] = [];
  /** What an endpoint answers: a status, or nothing ever. */
  let answer: (to: string) => number | "silence" = () => 204;
  const made: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    store = await openSqlite({ path: ":memory:" });
  });
  beforeEach(async () => {
    await Promise.all(made.splice(0).map((one) => one.close()));
    now += 30 * DAY;
    await store.outbox.expire({ events: now, deliveries: now });
    sent = [];
    answer = () => 204;
  });
  afterAll(() => store.close());

  const transport = (): Transport =>
    createFetchTransport({
      async fetch(request) {
        const text = await request.text();
        const to = new URL(request.url).searchParams.get("of") ?? "";
        const event = JSON.parse(text);
        expect(new Webhook(SECRET).sign(request.headers.get("webhook-id")!, new Date(now), text)).toBe(
          request.headers.get("webhook-signature"),
        );
        sent.push({ to, event, headers: request.headers });
        const status = answer(to);
        if (status === "silence")
          return new Promise((_, reject) => {
            request.signal.addEventListener("abort", () => reject(request.signal.reason));
          });
        return new Response(null, { status });
      },
    });

  /** A process that delivers to these endpoints. */
  const open = (...endpoints: WebhookEndpoint[]) => {
    const { log, entries } = recordLog();
    const clock = { now: () => now, after: () => () => {} };
    const webhooks = createWebhooks({
      store,
      transport: transport(),
      endpoints,
      log,
      clock,
      random: () => 0,
    });
    made.push(webhooks);
    return { webhooks, said: () => entries.map(({ level, message }) => `${level} ${message}`) };
  };
  const raise = (name: string, more: object = {}) =>
    store.outbox.add({
      ...{ name: `${name} ${now}`, type: "job.ended", accountId: "ada", data: { name }, createdAt: now },
      ...more,
    });
  const namesTo = (to: string) => sent.filter((one) => one.to === to).map(({ event }) => event.data.name);

  it("each endpoint has each event that it takes once, from several processes, in order", async () => {
    const endpoints = [
      endpoint("all"),
      endpoint("ada", { account: "ada" }),
      endpoint("bob", { account: "bob" }),
    ];
    const processes = [open(...endpoints), open(...endpoints), open(...endpoints)];
    for (const name of ["a", "b", "c"]) {
      await raise(name);
      now += 1;
    }
    await raise("circuit", { type: "entry.circuit_opened", accountId: undefined });
    await raise("low", { type: "account.balance_low", data: { name: "low", threshold: 5_000_000 } });
    await raise("lower", { type: "account.balance_low", data: { name: "lower", threshold: 1_000_000 } });
    for (const { webhooks } of processes) await webhooks.deliver();
    await Promise.all(processes.map(({ webhooks }) => webhooks.deliver()));
    expect(namesTo("all").slice(0, 3)).toEqual(["a", "b", "c"]);
    expect(namesTo("all").sort()).toEqual(["a", "b", "c", "circuit", "low"]);
    expect(namesTo("ada").sort()).toEqual(["a", "b", "c", "low"]);
    expect(namesTo("bob")).toEqual([]);
    const { headers, event } = sent[0]!;
    expect(event).toMatchObject({ type: "job.ended", timestamp: expect.stringMatching(/^2026-/) });
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("webhook-timestamp")).toBe(String(Math.floor(now / 1_000)));
  });

  it("what an endpoint does not take is sent again with the same id and body, later each time, and given up after a day", async () => {
    answer = (to) => (to === "down" ? 500 : 204);
    const { webhooks, said } = open(endpoint("down"), endpoint("up"));
    await raise("a");
    const began = now;
    const times: number[] = [];
    while (now < began + 3 * DAY) {
      const before = namesTo("down").length;
      await webhooks.deliver();
      if (namesTo("down").length > before) times.push(now);
      now += 5_000 + Math.floor((now - began) / 10);
    }
    expect(namesTo("up")).toEqual(["a"]);
    expect(times.length).toBe(11);
    expect(times.at(-1)! - began).toBeLessThan(1.3 * DAY);
    expect(new Set(sent.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect(said().filter((line) => line === "warn webhook not delivered").length).toBe(10);
    expect(said().at(-1)).toBe("error webhook given up");
    expect(await store.outbox.depth()).toEqual([]);
  });

  it("an endpoint that has taken nothing for days is switched off, others go on, and a start tries it again", async () => {
    answer = (to) => (to === "gone" ? 404 : 204);
    const { webhooks, said } = open(endpoint("gone"), endpoint("up"));
    for (let day = 0; day <= 6; day++) {
      await raise(`day ${day}`);
      await webhooks.deliver();
      now += DAY;
    }
    expect(said().filter((line) => line === "error webhook endpoint switched off")).toHaveLength(1);
    const tries = namesTo("gone").length;
    await raise("after");
    await webhooks.deliver();
    expect(namesTo("gone").length).toBe(tries);
    expect(namesTo("up")).toContain("after");
    expect(await store.outbox.depth()).toEqual([]);
    answer = () => 204;
    const next = open(endpoint("gone"));
    await store.outbox.switchOn(["gone"]);
    await raise("mended");
    await next.webhooks.deliver();
    expect(namesTo("gone")).toContain("mended");
  });

  it("an endpoint that answers 410 is switched off at once, for every process, and the log says so", async () => {
    answer = (to) => (to === "gone" ? 410 : 204);
    const [one, other] = [open(endpoint("gone"), endpoint("up")), open(endpoint("gone"), endpoint("up"))];
    for (let at = 0; at < 20; at++) await raise(`event ${at}`);
    await one.webhooks.deliver();
    const tries = namesTo("gone").length;
    expect(tries).toBeLessThanOrEqual(8);
    expect(one.said().filter((line) => line === "error webhook endpoint switched off")).toHaveLength(1);
    await raise("after");
    now += DAY;
    await one.webhooks.deliver();
    await other.webhooks.deliver();
    expect(namesTo("gone").length).toBe(tries);
    expect(namesTo("up").length).toBe(21);
    expect(await store.outbox.depth()).toEqual([]);
    expect(await store.outbox.off()).toEqual(["gone"]);
    await store.outbox.switchOn(["gone"]);
  });

  it("an endpoint that does not answer delays no event of another", async () => {
    answer = (to) => (to === "slow" ? "silence" : 204);
    const { webhooks } = open(endpoint("slow"), endpoint("up"));
    const looks: Promise<void>[] = [];
    // One look after another, as a started process does: what comes at the end of a delivery is seen by the next.
    const lookFor = (to: string, count: number) =>
      expect
        .poll(() => {
          looks.push(webhooks.deliver());
          return namesTo(to).length;
        })
        .toBe(count);
    for (const count of [1, 2, 3]) {
      await raise(`event ${count}`);
      await lookFor("up", count);
      await lookFor("slow", 1);
    }
    // What came while it was served waits for its turn.
    expect(namesTo("slow")).toEqual(["event 1"]);
    await webhooks.close();
    await Promise.all(looks);
  });

  it("an endpoint that is away for ten minutes is given every event once it is back, and each once", async () => {
    const began = now;
    const isAway = (): boolean => now - began < 10 * MINUTE;
    const [taken, late] = [[] as unknown[], [] as number[]];
    answer = (to) => {
      const { event } = sent.at(-1)!;
      if (to === "away" && isAway()) return 503;
      if (to === "away") taken.push(event.data.name);
      else late.push(now - (event.data.at as number));
      return 204;
    };
    const { webhooks } = open(endpoint("away"), endpoint("up"));
    const names: string[] = [];
    while (now - began < 60 * MINUTE) {
      if (now - began < 12 * MINUTE) {
        const name = `event ${names.length}`;
        names.push(name);
        await raise(name, { data: { name, at: now } });
      }
      await webhooks.deliver();
      now += 30_000;
    }
    expect(taken.toSorted()).toEqual(names.toSorted());
    expect(late).toEqual(names.map(() => 0));
    expect(await store.outbox.depth()).toEqual([]);
  });

  it("an event whose process dies between its commit and its delivery is delivered by another", async () => {
    await raise("a");
    answer = () => "silence";
    const { webhooks } = open(endpoint("all"));
    const cut = webhooks.deliver();
    await expect.poll(() => sent.length).toBe(1);
    await webhooks.close();
    await cut;
    answer = () => 204;
    const other = open(endpoint("all"));
    await other.webhooks.deliver();
    expect(sent.length).toBe(1);
    now += MINUTE;
    await other.webhooks.deliver();
    expect(namesTo("all")).toEqual(["a", "a"]);
    expect(new Set(sent.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
  });

  it("a circuit that several processes open is one event an hour", async () => {
    const catalog = createCatalog([model("gpt", "p")]);
    const id = entryId({ id: "gpt" }, { provider: "p", name: "gpt" });
    const processes = [open(endpoint("all")), open(endpoint("all"))];
    for (const { webhooks } of processes) webhooks.add(circuitOpened(catalog, id, now));
    processes[0]!.webhooks.add(circuitOpened(catalog, id, now + 1));
    processes[0]!.webhooks.add(circuitOpened(catalog, id, now + 60 * MINUTE));
    for (const { webhooks } of processes) await webhooks.deliver();
    expect(sent.map(({ event }) => event.data)).toEqual(
      Array.from({ length: 2 }, () => ({ entry: id, model: "gpt", provider: "p" })),
    );
  });

  it("redirects are not followed", async () => {
    answer = () => 302;
    const { webhooks, said } = open(endpoint("moved"));
    await raise("a");
    await webhooks.deliver();
    expect(sent.length).toBe(1);
    expect(said()).toEqual(["warn webhook not delivered"]);
  });

  it("other endpoints are served from then on; what waits for one that is gone waits until it is back", async () => {
    const { webhooks } = open(endpoint("kept"), endpoint("gone"));
    answer = (to) => (to === "gone" ? 500 : 204);
    await raise("before");
    await webhooks.deliver();
    webhooks.follow([endpoint("kept", { url: "http://kept.test/elsewhere?of=moved" }), endpoint("new")]);
    now += 10 * MINUTE;
    await raise("after");
    await webhooks.deliver();
    expect(namesTo("kept")).toEqual(["before"]);
    expect(namesTo("moved")).toEqual(["after"]);
    expect(namesTo("new")).toEqual(["after"]);
    expect(namesTo("gone")).toEqual(["before"]);
    // Without any endpoint an event is left for those that come.
    webhooks.follow([]);
    await raise("between");
    await webhooks.deliver();
    answer = () => 204;
    webhooks.follow([endpoint("gone")]);
    await webhooks.deliver();
    expect(namesTo("gone")).toEqual(["before", "before", "between"]);
  });
});

describe("the service", () => {
  it("caps and balances reach an endpoint signed, as their schemas say", async () => {
    const received: { type: string; timestamp: string; data: Record<string, unknown> }[] = [];
    const paths: (string | undefined)[] = [];
    const receiver = await listen((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const text = Buffer.concat(pieces).toString();
        const headers = request.headers as Record<string, string>;
        paths.push(request.url);
        received.push(new Webhook(SECRET).verify(text, headers) as (typeof received)[number]);
        response.writeHead(204).end();
      });
    });
    const endpoints = [endpoint("ops", { url: `${receiver.origin}/hooks`, lowBalance: 999_990_000 })];
    const store = await openSqlite({ path: ":memory:", alerts: alertsFor(endpoints) });
    const h = await startStage({
      store,
      webhooks: endpoints,
      transport: createTransport(),
    });
    const [key] = await store.keys.list("acc");
    await store.keys.change({ accountId: "acc", id: key!.id }, { caps: { total: 100 } });
    const body = { model: "sim-chatstyle", messages: [{ role: "user", content: "Hello." }] };
    await h.json(CHAT, { ...body, messages: [{ role: "user", content: "Hello. ".repeat(5_000) }] });
    await h.settled();
    await expect.poll(() => received.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
    expect(received.map(({ type }) => type).sort()).toEqual([
      "account.balance_low",
      "key.cap_reached",
      "key.cap_reached",
    ]);
    for (const one of received) {
      const parsed = webhookBodies[one.type as keyof typeof webhookBodies].safeParse(one);
      expect(parsed.error).toBeUndefined();
    }
    expect(received.find(({ data }) => data.percent === 95)?.data).toMatchObject({
      cap: "total",
      limit: 0.0001,
    });
    // Other endpoints, and other events, without a new start.
    h.gateway.setWebhooks([
      endpoint("other", { url: `${receiver.origin}/other`, events: ["key.cap_reached"] }),
    ]);
    await store.keys.change({ accountId: "acc", id: key!.id }, { caps: { total: 50 } });
    await expect.poll(() => paths.filter((path) => path === "/other").length, { timeout: 10_000 }).toBe(2);
    expect(received).toHaveLength(5);
    await h.close();
    await store.close();
    await receiver.close();
  });

  it("the body of an event has amounts in US dollars", () => {
    const data = { accountId: "a", threshold: 5_000_000, balance: 4_999_999 };
    const event = { id: "evt_1", type: "account.balance_low", data, createdAt: NOW };
    expect(JSON.parse(bodyOf(event))).toEqual({
      type: "account.balance_low",
      timestamp: "2026-11-21T12:00:00.000Z",
      data: { accountId: "a", threshold: 5, balance: 4.999999 },
    });
  });
});
