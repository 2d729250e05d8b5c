import { messageOf } from "@manifold-gateway/gateway/admin";
import { activePresets, createTransport } from "@manifold-gateway/providers";
import { StoreUnavailable } from "@manifold-gateway/store";
import { toProviders } from "../../config/build.ts";
import { savedSecrets } from "../../config/embedded.ts";
import type { Settings } from "../../config/load.ts";
import { configFile } from "../../config/locate.ts";
import { ConfigError } from "../../config/read.ts";
import { secretsIn } from "../../config/redact-secrets.ts";
import type { Config } from "../../config/schema.ts";
import { redact } from "../../logging/redact.ts";
import type { Call, Run } from "../call.ts";
import { findSettings } from "../command.ts";
import { alignRows } from "../show.ts";
import { type Case, type Check, fail, type Outcome, ok } from "./check.ts";
import { clock } from "./clock.ts";
import { database, reader, seals } from "./database.ts";
import { declared } from "./declared.ts";
import { calls, disk, files } from "./files.ts";
import { models } from "./models.ts";
import { port, url } from "./network.ts";
import { providers } from "./providers.ts";
import { settings } from "./settings.ts";

/** The checks in order: some use the results of earlier ones. */
const checks: readonly Check[] = [
  database,
  reader,
  declared,
  settings,
  seals,
  port,
  url,
  files,
  calls,
  disk,
  providers,
  models,
  clock,
];

/** Checks all that a start needs, and prints what to do. Nothing is charged, and nothing lasting is written. */
export const doctor: Run = async (call) => {
  const outcomes: Outcome[] = [];
  const settings = read(call, outcomes);
  if (settings) {
    const of = caseOf(call, settings);
    for (const check of checks)
      for (const outcome of await attempt(check, of)) outcomes.push(hide(outcome, secretsOf(of.config)));
    await of.transport.close();
  }
  const count = (verdict: Outcome["verdict"]): number =>
    outcomes.filter((one) => one.verdict === verdict).length;
  if (call.options.json) for (const outcome of outcomes) call.print(JSON.stringify(outcome));
  else {
    for (const line of describe(outcomes)) call.print(line);
    call.print(`${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} to fix`);
  }
  return count("fail") > 0 ? 1 : 0;
};

/** Runs a check. A database that answers but commits nothing is a finding; later checks do not use it. */
async function attempt(check: Check, of: Case): Promise<Outcome[]> {
  try {
    return await check(of);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    delete of.database;
    const todo = "check whether it takes writes: docs/operations.md";
    return [fail("database", `it answered at first, and then failed: ${messageOf(error)}`, todo)];
  }
}

/** The settings that a start would use; reports their problems if they are unusable. */
function read(call: Call, outcomes: Outcome[]): Settings | undefined {
  try {
    const settings = findSettings(call, savedSecrets);
    const file = configFile(call);
    outcomes.push(ok("configuration", file ?? "no file: simulated models, and those of variables"));
    return settings;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const todo = "correct the file, or set the variables; nothing else was checked";
    outcomes.push(hide(fail("configuration", error.message, todo), []));
    return undefined;
  }
}

function caseOf(call: Call, base: Settings): Case {
  const { env } = call;
  const file = configFile(call);
  const of: Case = {
    ...{ base, config: base.config, env, file, transport: createTransport(), now: Date.now, clocks: [] },
    providers() {
      const providers = toProviders(of.config);
      // Without a file the configured ones are the simulator's, which runs only within the service.
      if (file === undefined) for (const id of Object.keys(base.config.providers)) providers.delete(id);
      for (const provider of activePresets(env))
        if (!providers.has(provider.id)) providers.set(provider.id, provider);
      return providers;
    },
  };
  return of;
}

/** The secrets of a configuration, and the keys of its accounts. */
function secretsOf(config: Config): string[] {
  const keys = Object.values(config.accounts).map(({ keys }) => Object.values(keys));
  return [...secretsIn(config), ...secretsIn({ key: keys.flat() })].filter((text) => text.length > 3);
}

/** Hides secrets, because errors of drivers and texts of providers are shown. */
function hide(outcome: Outcome, secrets: readonly string[]): Outcome {
  const found = secrets.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), outcome.finding);
  return { ...outcome, finding: redact(found) };
}

/** A table of the outcomes, each followed by its steps. */
const describe = (outcomes: readonly Outcome[]): string[] =>
  alignRows(
    outcomes.flatMap(({ check, verdict, finding, todo }) => [
      ...finding.split("\n").map((line, i) => (i === 0 ? [verdict, check, line] : ["", "", line])),
      ...(todo === undefined ? [] : [["", "", `→ ${todo}`]]),
    ]),
  );
