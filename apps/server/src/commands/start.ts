import cluster from "node:cluster";
import type { Log } from "@manifold-gateway/gateway";
import { describeFindings } from "../catalog/discovery-report.ts";
import { loadWithSource, type Settings } from "../config/load.ts";
import { configFile } from "../config/locate.ts";
import { ConfigError } from "../config/read.ts";
import { startHost } from "../host.ts";
import { countOf } from "../processes/count.ts";
import { NUMBER } from "../processes/fork.ts";
import { serveAsMember } from "../processes/member.ts";
import { supervise } from "../processes/supervisor.ts";
import { withAddress } from "./address.ts";
import type { Call, Run } from "./call.ts";
import { type Started, serve } from "./serve.ts";
import { startEmbedded } from "./start-embedded.ts";

export const start: Run = async (call) => {
  if (process.env[NUMBER] !== undefined && process.send) {
    serveAsMember();
    return undefined;
  }
  const file = configFile(call);
  await (file === undefined ? startEmbedded(call) : startConfigured(file, call));
  return undefined;
};

const startConfigured = (file: string, call: Call): Promise<void> =>
  serve(call, {
    read: (env) => withAddress(loadWithSource(file, env), call),
    open: (settings, log) => (countOf(settings.config) > 1 ? openSeveral : openOne)(settings, log),
  });

async function openOne(settings: Settings, log: Log): Promise<Started> {
  const host = await startHost({ ...settings, log, warmUp: true });
  const models = Object.keys(settings.config.models).length;
  const listening = `Manifold listens on ${host.origin} with ${models} models.`;
  return { service: host, lines: [listening, ...describeFindings(host.findings())] };
}

async function openSeveral(settings: Settings, log: Log): Promise<Started> {
  if (!cluster.isPrimary)
    throw new ConfigError(
      "server.processes: this process belongs to a cluster whose parent starts the processes; use 1",
    );
  const supervisor = await supervise({ settings, log });
  const { origin, findings } = supervisor;
  const models = Object.keys(settings.config.models).length;
  const count = countOf(settings.config);
  const listening = `Manifold listens on ${origin} with ${models} models, in ${count} processes.`;
  return { service: supervisor, lines: [listening, ...findings] };
}
