import { type AnyCodec, codecs } from "@manifold-gateway/core";
import { createCatalog } from "@manifold-gateway/gateway";
import {
  bytesOf,
  defineProvider,
  type Transport,
  type UpstreamProtocol,
  type UpstreamRequest,
} from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Holder } from "../../support/holder.ts";
import { startStage } from "../../support/stage.ts";
import { CHAT, model } from "../../support/text.ts";
import { upstreams, upstreamWires } from "../../support/wires/index.ts";
import type { UpstreamWire } from "../../support/wires/wire.ts";

/** How many requests there are; more by hand. */
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 2_000);
/** How many of an account's run at one time. */
const AT_ONCE = 20;
const ACCOUNTS = 10;
const CREDIT = 50_000;
const MAX_OUTPUT = 64_000;
const price = { input: 1_000_000, output: 2_000_000, webSearches: 10_000_000_000 };

const number = (value: unknown): number => {
  const found = typeof value === "string" ? Number(value) : value;
  return typeof found === "number" && Number.isFinite(found) ? found : 0;
};

/**
 * A provider that takes all it can get: it reads every spelling of a limit and the largest, gives all alternatives
 * their whole length, calls every tool as often as it may, and counts each byte of text for a token.
 */
function greedy({ body }: UpstreamRequest): Parameters<UpstreamWire["bill"]>[0] {
  const text = Buffer.from(bytesOf(body ?? "")).toString();
  const wire = JSON.parse(text.toLowerCase());
  const config = wire.generationconfig ?? wire.generation_config ?? {};
  const limits = [
    ...[
      "max_tokens",
      "max_completion_tokens",
      "max_output_tokens",
      "max_new_tokens",
      "n_predict",
      "min_tokens",
    ],
    ...["maxoutputtokens"],
  ].flatMap((name) => [number(wire[name]), number(config[name])]);
  const most = Math.min(MAX_OUTPUT, Math.max(...limits) || MAX_OUTPUT);
  const many = Math.max(1, number(wire.n), number(config.candidatecount));
  const searches = (wire.tools ?? []).reduce(
    (sum: number, { max_uses }: { max_uses?: number }) => sum + (max_uses ?? 10),
    0,
  );
  return { input: text.length, output: Math.ceil(most * many), searches };
}

/** The protocol of a call, by the path that its codec asks for. */
function protocolOf({ path }: UpstreamRequest): UpstreamProtocol {
  const found = upstreams.find((name) => path.endsWith((codecs[name] as AnyCodec).endpoint("m", false)));
  if (!found) throw new Error(`nobody speaks ${path}`);
  return found;
}

const transport: Transport = {
  async send(request) {
    const { report, bill } = upstreamWires[protocolOf(request)];
    const reply = report.body(bill(greedy(request)));
    const bytes = Buffer.from(JSON.stringify(reply));
    await new Promise((resolve) => setImmediate(resolve));
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: { bytes: async () => bytes, next: async () => undefined, cancel() {} } as never,
    };
  },
  close: async () => {},
};

const messages = [{ role: "user", content: "Hello" }];
const figure = fc.oneof(
  fc.constantFrom<unknown>(1, 64, 8_192, 100_000, 1e9, -1, 0, "100000", "64", null, 0.5),
  fc.integer({ min: 1, max: 50_000 }),
);
const some = fc.option(figure, { nil: undefined });
const alternatives = fc.option(fc.constantFrom<unknown>(1, 2, 8, 128, "128"), { nil: undefined });
const record = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record(members)
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)));

/** Requests that try every spelling of a limit, of alternatives and of what is billed beside tokens. */
const hostile: fc.Arbitrary<[path: string, body: string]> = fc.oneof(
  record({
    max_tokens: some,
    max_completion_tokens: some,
    n: alternatives,
    n_predict: some,
    Max_Tokens: fc.option(figure, { nil: undefined, freq: 10 }),
  }).map((more): [string, string] => [CHAT, JSON.stringify({ model: "chatstyle", messages, ...more })]),
  figure.map((first): [string, string] => [
    CHAT,
    `{"model":"chatstyle","messages":${JSON.stringify(messages)},"max_tokens":${JSON.stringify(first)},"max_tokens":1}`,
  ]),
  record({ max_output_tokens: some, max_tokens: some, background: fc.constantFrom(true, undefined) }).map(
    (more): [string, string] => [
      "/api/chatstyle/v1/responses",
      JSON.stringify({ model: "responses", input: "Hello", ...more }),
    ],
  ),
  fc
    .tuple(figure, fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }))
    .map(([most, uses]): [string, string] => [
      "/api/msgstyle/v1/messages",
      JSON.stringify({
        model: "msgstyle",
        messages,
        max_tokens: number(most) || 1,
        tools: [{ type: "web_search_20250305", name: "web_search", max_uses: uses }],
      }),
    ]),
  fc.string({ unit: "grapheme", maxLength: 2_000 }).map((data): [string, string] => [
    "/api/msgstyle/v1/messages",
    JSON.stringify({
      model: "msgstyle",
      max_tokens: 1,
      messages: [
        {
          role: "user",
          content: [{ type: "document", source: { type: "text", media_type: "text/plain", data } }],
        },
      ],
    }),
  ]),
  record({ maxOutputTokens: some, candidateCount: alternatives }).map(
    (generationConfig): [string, string] => [
      "/api/genstyle/v1beta/models/genstyle:generateContent",
      JSON.stringify({ contents: "Hello", generationConfig }),
    ],
  ),
);

async function attack(admission: "strict" | "threshold") {
  const protocols: UpstreamProtocol[] = ["chatstyle", "responses", "msgstyle", "genstyle"];
  const holders = Array.from({ length: ACCOUNTS }, (_, n) => ({
    id: `a${n}`,
    key: `hostile-key-${n}-0123456789abcdefghij`,
  }));
  const { gateway, store, close } = await startStage({
    listens: false,
    holders: holders as [Holder, ...Holder[]],
    credit: CREDIT,
    transport,
    admission,
    catalog: createCatalog(
      protocols.map((id) =>
        model(id, id, {
          inputModalities: ["text"],
          entries: [
            {
              provider: id,
              name: "m",
              priority: 1,
              isActive: true,
              price,
              traits: { maxOutput: MAX_OUTPUT },
            },
          ],
        }),
      ),
    ),
    providers: new Map(
      protocols.map((id) => [
        id,
        defineProvider(id, { origin: "http://127.0.0.1:9", speaks: [id], unpriced: "refuse" }),
      ]),
    ),
  });
  const statuses = new Map<number, number>();
  const bodies = fc.sample(hostile, { numRuns: Math.ceil(REQUESTS / ACCOUNTS) });
  let dearest = 0;
  const attackBy = async ({ key }: Holder): Promise<void> => {
    const queue = [...bodies];
    const worker = async (): Promise<void> => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        const [path, body] = next;
        const response = await gateway.fetch(
          new Request(`http://x${path}`, {
            method: "POST",
            headers: { "x-api-key": key, "content-type": "application/json" },
            body,
          }),
        );
        await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        dearest = Math.max(dearest, Math.round(Number(response.headers.get("x-cost") ?? 0) * 1e6));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  await Promise.all(holders.map(attackBy));
  const balances = await Promise.all(holders.map(async ({ id }) => (await store.accounts.get(id))!));
  expect(await store.money.audit()).toEqual([]);
  await close();
  return { statuses, balances, dearest };
}

describe("accounts with little credit that try to get more than they pay for", () => {
  it("hostile accounts never fall below zero under strict", async () => {
    const { statuses, balances } = await attack("strict");
    expect(statuses.get(200)).toBeGreaterThan(0);
    expect(statuses.get(403)).toBeGreaterThan(0);
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    for (const { balance, held } of balances) {
      expect(balance).toBeGreaterThanOrEqual(0);
      expect(held).toBe(0);
    }
  });

  it("hostile accounts fall below zero under threshold by no more than their simultaneous requests may cost", async () => {
    const { balances, dearest } = await attack("threshold");
    for (const { balance, held } of balances) {
      expect(balance).toBeGreaterThan(-AT_ONCE * dearest);
      expect(held).toBe(0);
    }
  });
});
