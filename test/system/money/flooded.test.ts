import { connect, type Socket } from "node:net";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePostgres } from "../../store/databases/postgres.ts";
import { programOf } from "../../support/program.ts";
import { createClient } from "./client.ts";
import { storeOf } from "./places.ts";
import { launchGateway } from "./process.ts";

/** After so many ms of silence a process is taken for dead; the service's own figure is 30,000. */
const SILENT_MS = 2_000;
const ASKED = 8;
const KEY = "key-of-the-payer-0123456789abcdef";
const GATEWAY = await programOf("test/system/money/elsewhere.ts");
const FLOOD = "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1_700);

let simulator: Simulator;
let upstream: string;
beforeAll(async () => {
  simulator = createSimulator();
  ({ origin: upstream } = await simulator.listen());
});
afterAll(() => simulator?.close());

const configOf = (store: string): object => ({
  store,
  providers: { p: { protocol: "chatstyle", origin: upstream, key: "secret-of-upstream" } },
  models: { m: { entries: [{ provider: "p", name: "sim-chatstyle", price: { input: 1, output: 2 } }] } },
  accounts: { payer: { balance: 1_000, keys: { only: KEY } } },
});

/** Fifty strangers who send thousands of requests each, and come back when they are cut off, until it is over. */
function flood(origin: string): { cut: () => number; end: () => void } {
  const open = new Set<Socket>();
  let isOver = false;
  let cut = 0;
  const come = async (): Promise<void> => {
    while (!isOver) {
      const socket = connect(Number(new URL(origin).port), "127.0.0.1");
      open.add(socket);
      socket.on("error", () => {});
      socket.resume();
      socket.write(FLOOD);
      await new Promise((resolve) => socket.once("close", resolve));
      open.delete(socket);
      cut += 1;
    }
  };
  for (let i = 0; i < 50; i++) void come();
  return {
    cut: () => cut,
    end() {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

describe("a gateway that unauthenticated clients flood", () => {
  it("a flooded gateway stays available to callers, and finishes its answers", {
    timeout: 90_000,
  }, async () => {
    const database = await makePostgres();
    simulator.reset();
    const client = createClient(ASKED);
    const launched = [storeOf(database), storeOf(database)].map((store) =>
      launchGateway(configOf(store), [GATEWAY, "--silent", String(SILENT_MS)]),
    );
    let attack: ReturnType<typeof flood> | undefined;
    try {
      const [target = ""] = await Promise.all(launched.map(({ listening }) => listening));
      const ask = (index: number) =>
        client.post(`${target}/api/chatstyle/v1/chat/completions`, KEY, {
          model: "m",
          stream: index % 2 === 0,
          messages: [{ role: "user", content: `[[fault:delay=${2 * SILENT_MS}]] hello` }],
        });
      const replies = Array.from({ length: ASKED }, (_, index) => ask(index));
      await expect.poll(() => simulator.ledger.entries.length, { timeout: 20_000 }).toBe(ASKED);
      attack = flood(target);
      for (const { status, whole } of await Promise.all(replies))
        expect([status, whole]).toEqual([200, true]);
      await expect.poll(attack.cut).toBeGreaterThan(0);
      attack.end();
      for (const { output } of launched) expect(output()).not.toContain("settled late");
      const rows = await database.execute("SELECT status, count(*) AS n FROM generations GROUP BY status");
      expect(rows.map(({ status, n }) => [status, Number(n)])).toEqual([["succeeded", ASKED]]);
      const store = await database.open();
      expect(await store.money.audit()).toEqual([]);
      await store.close();
    } finally {
      attack?.end();
      client.close();
      await Promise.all(launched.map((one) => one.kill()));
      await database.drop();
    }
  });
});
