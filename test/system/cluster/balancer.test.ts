import { on, once } from "node:events";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type GatewayProcess, startGateways } from "../money/process.ts";
import { noBalancer, type Running, startBalancer } from "./balancer.ts";

const KEY = "key-of-the-balancer-0123456789abcdef";
const headers = { "x-api-key": KEY };

describe.skipIf(noBalancer)(`the balancer of compose ${noBalancer}`, { timeout: 120_000 }, () => {
  let simulator: Simulator;
  let gateways: GatewayProcess[];
  let balancer: Running & { origin: string };
  beforeAll(async () => {
    simulator = createSimulator();
    const { origin } = await simulator.listen();
    gateways = await startGateways(1, {
      store: "sqlite::memory:",
      providers: { chat: { protocol: "chatstyle", origin, key: "k" } },
      models: { chat: { entries: [{ provider: "chat", name: "sim-chat", price: {} }] } },
      accounts: { payer: { balance: 1, keys: { only: KEY } } },
    });
    balancer = await startBalancer(Array.from({ length: 3 }, () => gateways[0]!.origin));
  }, 120_000);
  afterAll(async () => {
    await balancer?.stop();
    await Promise.all(gateways?.map((one) => one.stop()) ?? []);
    await simulator?.close();
  });

  it("passes a WebSocket of the responses surface on to a gateway, and its events back", async () => {
    const url = `${balancer.origin.replace("http", "ws")}/api/chatstyle/v1/responses`;
    const socket = new WebSocket(url, { headers });
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "response.create", model: "chat", input: "Hello" }));
    const types: string[] = [];
    let text = "";
    for await (const [data] of on(socket, "message")) {
      const event = JSON.parse(String(data)) as { type: string; delta?: string };
      types.push(event.type);
      if (event.type === "response.output_text.delta") text += event.delta;
      if (/completed|failed|error/.test(event.type)) break;
    }
    expect(types.at(-1)).toBe("response.completed");
    expect(text).toBe("You said: Hello");
    socket.close();
    await once(socket, "close");
  });

  it("passes requests without an upgrade on as before, and keeps /metrics to itself", async () => {
    const answer = await fetch(`${balancer.origin}/api/chatstyle/v1/chat/completions`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ model: "chat", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect((await answer.json()).choices[0].message.content).toBe("You said: Hello");
    expect((await fetch(`${balancer.origin}/metrics`)).status).toBe(404);
  });
});
