import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { planIn, startDatabase, stopCluster, userNamed } from "../../../deploy/cluster/cluster.ts";
import type { Plan } from "../../../deploy/cluster/plan.ts";
import type { User } from "../../../deploy/cluster/processes.ts";
import { type GatewayProcess, launchGateway } from "../money/process.ts";
import { mountMembers, unmountMembers } from "./disks.ts";
import { accounts, PRICE } from "./load.ts";

/** The cluster of deploy/, with gateways whose provider keeps a ledger here. */
export interface Stage {
  plan: Plan;
  user: User | undefined;
  simulator: Simulator;
  gateways: GatewayProcess[];
  /** The address of the service, before all gateways. */
  origin: string;
  stop(): Promise<void>;
}

export interface StageOptions {
  pooler: boolean;
  port: number;
  /** Each member's data on a small file system of its own. */
  smallDisks: boolean;
  /** Where the logs of all programs are kept. */
  logs?: string | undefined;
}

export async function startStage({ pooler, port, smallDisks, logs }: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-failover-"));
  const plan = planIn(folder, port, pooler);
  const user = userNamed("postgres");
  const simulator = createSimulator({ ledgerSize: 10_000_000 });
  const gateways: GatewayProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(gateways.map((one) => one.stop()));
    await stopCluster(folder);
    if (logs) cpSync(join(folder, "log"), logs, { recursive: true });
    if (logs)
      for (const [at, gateway] of gateways.entries())
        writeFileSync(join(logs, `gateway-${at + 1}.log`), gateway.output());
    if (smallDisks) unmountMembers(plan);
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (smallDisks) mountMembers(plan, user);
    await startDatabase(plan, user);
    const { origin: provider } = await simulator.listen();
    for (const { port: own } of plan.gateways) {
      const { listening, ...gateway } = launchGateway({
        server: { port: own, warmUp: 700, log: "warn" },
        store: plan.database,
        calls: join(folder, "calls"),
        objects: `file:${folder}/objects`,
        providers: { near: { protocol: "chatstyle", origin: provider, key: "secret-of-upstream" } },
        models: { chat: { entries: [{ provider: "near", name: "sim-chat", price: PRICE }] } },
        accounts,
        limits: { requestsPerMinutePerAddress: 100_000_000, connectionsPerAddress: 20_000 },
      });
      gateways.push({ ...gateway, origin: await listening });
    }
    return { plan, user, simulator, gateways, origin: `http://127.0.0.1:${plan.ports.service}`, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}
