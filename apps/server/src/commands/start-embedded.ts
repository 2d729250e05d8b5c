import type { Invitation, Log } from "@manifold-gateway/gateway";
import { createInvitation } from "@manifold-gateway/gateway/admin";
import type { Simulator } from "@manifold-gateway/simulator";
import type { Store } from "@manifold-gateway/store";
import { describeFindings, isServed } from "../catalog/discovery-report.ts";
import { keyVaultOf } from "../config/build.ts";
import { dataFolder, embeddedDocument, parseEmbedded } from "../config/embedded.ts";
import type { Settings } from "../config/load.ts";
import { embeddedSource } from "../config/origins.ts";
import type { Config } from "../config/schema.ts";
import type { Environment } from "../config/variables.ts";
import { ensureDevelopment } from "../configured-accounts.ts";
import { type Host, startHost } from "../host.ts";
import type { Service } from "../processes/service.ts";
import { withAddress } from "./address.ts";
import type { Call } from "./call.ts";
import { embeddedSecrets } from "./command.ts";
import { knownDevelopment, showDevelopment } from "./development.ts";
import { serve } from "./serve.ts";

interface EmbeddedOptions {
  /** Models in addition to the simulator's. */
  models?: object;
  /** Called once it listens. */
  begin?(started: { config: Config; origin: string; store: Store; simulator: Simulator }): Promise<void>;
}

/** Serves the simulator's models, with the data next to the environment's database. */
export async function startEmbedded(call: Call, { models, begin }: EmbeddedOptions = {}): Promise<void> {
  const { env } = call;
  // Loaded only by this kind of start.
  const { createSimulator } = await import("@manifold-gateway/simulator");
  const simulator = createSimulator();
  const { origin } = await simulator.listen(0, "127.0.0.1");
  const document = embeddedDocument(origin, env, embeddedSecrets(env), models);
  const config = parseEmbedded(document, env);
  const settings = withAddress({ config, env, source: embeddedSource(env), document }, call);
  await serve(call, {
    read: (env) => ({ ...settings, env }),
    async open(settings, log) {
      const { config } = settings;
      const opened = await openHost(settings, log, call);
      const { host } = opened;
      await begin?.({ config, origin: host.origin, store: host.store, simulator });
      const service: Service = {
        reload: (next) => host.reload(next),
        noteReload: (reload) => host.noteReload(reload),
        stop: () => host.stop().then(() => simulator.close()),
      };
      return { service, lines: linesOf(opened, config, env) };
    },
  });
}

interface Opened {
  host: Host;
  /** The link to the console signs in with it. */
  invitation: Invitation | undefined;
  /** The development key was shown at an earlier start. */
  isKnown: boolean;
}

async function openHost(
  settings: Settings,
  log: Log,
  { env, print, isTerminal = false }: Call,
): Promise<Opened> {
  const { config } = settings;
  let shown: string | undefined;
  let invitation: Invitation | undefined;
  const host = await startHost({
    ...settings,
    log,
    warmUp: true,
    invitation: () => invitation,
    standIns: env.MANIFOLD_SIMULATED !== "true",
    async prepare(store) {
      const keyVault = keyVaultOf(config);
      const made = await ensureDevelopment(store, env, Date.now(), keyVault);
      const operator = config.server.adminKey;
      invitation = createInvitation({ session: made.accountId, ...(operator && { operator }) }, Date.now());
      shown = showDevelopment(made, { folder: dataFolder(env), isTerminal });
      if (shown) print(shown);
    },
  });
  return { host, invitation, isKnown: shown === undefined };
}

/** What a start prints once it listens. */
function linesOf({ host, invitation, isKnown }: Opened, { models }: Config, env: Environment): string[] {
  const findings = host.findings();
  const simulated = Object.keys(models).join(", ");
  return [
    isServed(findings)
      ? `Manifold listens on ${host.origin} with the models of these providers:`
      : `Manifold listens on ${host.origin} with simulated models: ${simulated}.`,
    ...describeFindings(findings),
    ...(host.hasConsole ? [`Open ${host.origin}/console#once=${invitation?.token}`] : []),
    ...(isKnown && !env.MANIFOLD_DEV_KEY ? [knownDevelopment(dataFolder(env))] : []),
  ];
}
