import { parseArgs } from "node:util";
import { loadConfig } from "../../../apps/server/src/config/load.ts";
import { ensureAccounts } from "../../../apps/server/src/configured-accounts.ts";
import { startHost } from "../../../apps/server/src/host.ts";
import { createLog } from "../../../apps/server/src/logging/log.ts";
import { openers } from "../../store/databases/open.ts";
import { elsewhere } from "../../store/fixtures.ts";

/**
 * A gateway as of a machine of its own: `elsewhere.ts --config FILE --silent MS`. Others cannot see whether its process
 * has ended, and take it for dead when it has been silent for that long.
 */
const { values } = parseArgs({ options: { config: { type: "string" }, silent: { type: "string" } } });
const config = loadConfig(values.config!, process.env);
const silentMs = Number(values.silent);
const host = await startHost({
  config,
  env: process.env,
  log: createLog(config.server.log),
  prepare: (store) => ensureAccounts(store, config.accounts, Date.now()),
  roundMs: silentMs / 6,
  open(url, options) {
    const [, location] = /^sqlite:(.*)/.exec(url) ?? [];
    const settings = { ...options, silentMs, owner: elsewhere() };
    return location === undefined ? openers.postgres(url, settings) : openers.sqlite(location, settings);
  },
});
process.stdout.write(`A gateway listens on ${host.origin} now.\n`);
process.on("SIGTERM", () => void host.stop().then(() => process.exit(0)));
