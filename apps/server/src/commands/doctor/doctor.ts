import { activePresets, createTransport } from "@manifold-gateway/providers";
import { toProviders } from "../../config/build.ts";
import { embeddedConfig, savedSecrets } from "../../config/embedded.ts";
import { loadConfig } from "../../config/load.ts";
import { configFile } from "../../config/locate.ts";
import { ConfigError } from "../../config/read.ts";
import { secretsIn } from "../../config/redact-secrets.ts";
import type { Config } from "../../config/schema.ts";
import { redact } from "../../logging/redact.ts";
import type { Call, Run } from "../call.ts";
import { alignRows } from "../show.ts";
import { type Case, type Check, fail, type Outcome, ok } from "./check.ts";
import { clock } from "./clock.ts";
import { database, seals } from "./database.ts";
import { disk, files } from "./files.ts";
import { models } from "./models.ts";
import { port, url } from "./network.ts";
import { providers } from "./providers.ts";

/** The checks in order: some use the results of earlier ones. */
const checks: readonly Check[] = [database, seals, port, url, files, disk, providers, models, clock];

/** Checks all that a start needs, and prints what to do. Nothing is charged, and nothing lasting is written. */
export const doctor: Run = async (call) => {
  const outcomes: Outcome[] = [];
  let secrets: readonly string[] = [];
  const report = (results: readonly Outcome[]): void => {
    for (const outcome of results) outcomes.push(hide(outcome, secrets));
  };
  const config = read(call, report);
  if (config) {
    const keys = Object.values(config.accounts).map(({ keys }) => Object.values(keys));
    secrets = [...secretsIn(config), ...secretsIn({ key: keys.flat() })].filter((text) => text.length > 3);
    const of = caseOf(call, config);
    for (const check of checks) report(await check(of));
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

/** The configuration that a start would use; reports its problems if it is unusable. */
function read(call: Call, report: (results: readonly Outcome[]) => void): Config | undefined {
  try {
    const file = configFile(call);
    const config =
      file === undefined
        ? embeddedConfig("http://127.0.0.1", call.env, savedSecrets(call.env))
        : loadConfig(file, call.env);
    report([ok("configuration", file ?? "no file: simulated models, and those of variables")]);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    report([
      fail("configuration", error.message, "mend the file, or set the variables; nothing else was looked at"),
    ]);
    return undefined;
  }
}

function caseOf(call: Call, config: Config): Case {
  const file = configFile(call);
  // Without a file the only provider is the simulator, which runs only within the service.
  const providers = file === undefined ? new Map() : toProviders(config);
  for (const provider of activePresets(call.env))
    if (!providers.has(provider.id)) providers.set(provider.id, provider);
  return { config, env: call.env, file, providers, transport: createTransport(), now: Date.now, clocks: [] };
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
