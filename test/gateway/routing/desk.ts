import type { GatewayOptions, Model } from "@manifold-gateway/gateway";
import { defineProvider, type Provider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

/** A provider of a test: its own simulator, so that its ledger tells who was called. */
export interface Party {
  protocol?: UpstreamProtocol;
  /** Nothing listens there. */
  down?: true;
  more?: Partial<Provider>;
}

export interface Desk extends Stage {
  parties: Record<string, Simulator>;
  /** How often each party was called. */
  calls(): Record<string, number>;
  /** Milliseconds, added to the gateway's clock. */
  pass(ms: number): void;
  record(id: string | null): Promise<Record<string, unknown>>;
}

const DOWN = "http://127.0.0.1:9";

/** A gateway whose model `m` is served by these parties, in their order unless priorities say otherwise. */
export async function startDesk(
  parties: Record<string, Party>,
  more: Partial<GatewayOptions> & {
    entries?: Record<string, Partial<Model["entries"][number]>>;
    models?: Model[];
  } = {},
): Promise<Desk> {
  const { entries = {}, models = [], ...options } = more;
  let ahead = 0;
  const simulators: Record<string, Simulator> = {};
  const providers = new Map<string, Provider>();
  for (const [id, { protocol = "chatstyle", down, more: own }] of Object.entries(parties)) {
    let origin = DOWN;
    if (!down) {
      const simulator = createSimulator();
      origin = (await simulator.listen(0)).origin;
      simulators[id] = simulator;
    }
    providers.set(id, { ...defineProvider(id, { origin, speaks: [protocol], key: `key-of-${id}` }), ...own });
  }
  const m = model("m", "", {
    entries: Object.keys(parties).map((provider, i) => ({
      provider,
      name: `native-${provider}`,
      priority: i + 1,
      isActive: true,
      price,
      ...entries[provider],
    })),
  });
  const stage = await startStage({
    models: [m, ...models],
    providers,
    now: () => Date.now() + ahead,
    ...options,
  });
  return {
    ...stage,
    parties: simulators,
    calls: () =>
      Object.fromEntries(Object.entries(simulators).map(([id, { ledger }]) => [id, ledger.entries.length])),
    pass: (ms) => {
      ahead += ms;
    },
    async record(id) {
      const record = await stage.store.generations.get({ id: id ?? "", accountId: "acc" });
      return { ...record };
    },
    async close() {
      await stage.close();
      await Promise.all(Object.values(simulators).map((simulator) => simulator.close()));
    },
  };
}

export const say = (text: string, more: object = {}) => ({
  model: "m",
  messages: [{ role: "user", content: text }],
  ...more,
});
