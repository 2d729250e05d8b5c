import {
  type Billing,
  createCatalog,
  createGateway,
  type Gateway,
  type Observer,
} from "@manifold-gateway/gateway";
import { defineProvider, type Transport, UpstreamBody } from "@manifold-gateway/providers";
import { openSqlite } from "@manifold-gateway/store";
import { createMeter } from "../../apps/server/src/telemetry/metrics.ts";
import { median } from "./load.ts";
import type { Report } from "./report.ts";
import { chatRequest, unary } from "./wires.ts";

const ROUNDS = 60;
const REQUESTS = 100;

const nothing = async (): Promise<void> => {};
const billing: Billing = { hold: async () => ({ checkpoint: nothing, settle: async () => 0 }) };

/** A provider in memory: what is left is the way of a request through the gateway. */
const answer = Buffer.from(unary.chatstyle ?? "");
const still = { paused: false, pause() {}, resume() {}, abort() {} };
const transport: Transport = {
  async send() {
    const body = new UpstreamBody(still as never);
    body.push(answer);
    body.finish();
    return { status: 200, headers: { "content-type": "application/json" }, body };
  },
  close: nothing,
};

/** An observer that follows everything and does nothing with it. */
const idle: Observer = {
  started: () => ({
    attempt: () => ({ answered() {}, failed() {} }),
    firstByte() {},
    settled() {},
    ended() {},
  }),
};

const body = chatRequest({ bytes: 2_000 });

async function send(gateway: Gateway): Promise<void> {
  const headers = { "x-api-key": "bench-key-0123456789", "content-type": "application/json" };
  const url = "http://bench.test/api/chatstyle/v1/chat/completions";
  const response = await gateway.fetch(new Request(url, { method: "POST", headers, body }));
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`the gateway answered ${response.status}`);
}

/**
 * What being watched costs a request, in CPU time, without sockets, database and provider: gateways that differ in
 * nothing but their observer, in alternating rounds of one run. The second without one shows what is noise.
 */
export async function benchObserver(title: string, report: Report): Promise<void> {
  const store = await openSqlite({ path: ":memory:" });
  const caller = { type: "key", accountId: "acc", keyId: "key", keyName: "bench" } as const;
  const access = { byKey: () => caller, byToken: () => undefined, operatorOf: () => undefined, forget() {} };
  const price = { input: 1_000_000, output: 2_000_000 };
  const entries = [{ provider: "same", name: "bench", priority: 1, isActive: true, price }];
  const modalities = { inputModalities: ["text"], outputModalities: ["text"] };
  const open = (observer?: Observer): Gateway =>
    createGateway({
      store,
      access,
      billing,
      transport,
      catalog: createCatalog([{ id: "bench", ...modalities, isActive: true, revision: 1, entries }]),
      providers: new Map([
        ["same", defineProvider("same", { origin: "http://upstream.test", speaks: ["chatstyle"], key: "k" })],
      ]),
      ...(observer && { observer }),
    });
  const targets = [
    ["absent", open()],
    ["present", open(idle)],
    ["with metrics", open(createMeter().observer)],
    ["absent again", open()],
  ] as const;
  const costs = new Map<string, number[]>();
  for (let round = -8; round < ROUNDS; round++)
    // Whoever comes first in a round comes last in the next one.
    for (const [name, gateway] of round % 2 === 0 ? targets : targets.toReversed()) {
      const before = process.cpuUsage();
      for (let i = 0; i < REQUESTS; i++) await send(gateway);
      const { user, system } = process.cpuUsage(before);
      // The first rounds warm up.
      if (round >= 0) costs.set(name, [...(costs.get(name) ?? []), (user + system) / REQUESTS]);
    }
  const base = median(costs.get("absent") ?? []);
  report.add(
    title,
    [...costs].map(([target, values]) => {
      const own = median(values);
      return { target, value: `${own.toFixed(1)} µs CPU`, ratios: [`${(own / base).toFixed(3)} × absent`] };
    }),
  );
  await store.close();
}
