import type { Provider, Transport } from "@manifold-gateway/providers";
import type { DatabaseState } from "@manifold-gateway/store";
import type { Settings } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import type { Environment } from "../../config/variables.ts";

/** The result of a check. */
export interface Outcome {
  check: string;
  verdict: "ok" | "warn" | "fail";
  finding: string;
  /** The steps that solve the problem. */
  todo?: string;
}

/** What checks examine, with the results that later checks use. */
export interface Case {
  /** The settings without what the database declares. */
  base: Settings;
  /** The configuration, with it once the database was read. */
  config: Config;
  env: Environment;
  /** The configuration file; absent if there is none. */
  file?: string;
  /** The providers that can be tried. */
  providers(): ReadonlyMap<string, Provider>;
  transport: Transport;
  now(): number;
  database?: DatabaseState;
  /** The address of a gateway that already runs. */
  serving?: string;
  /** Other clocks: how far each is ahead of ours, in milliseconds. */
  clocks: { of: string; aheadMs: number }[];
}

/** Checks one thing, without lasting changes. It throws only on a defect. */
export type Check = (of: Case) => Promise<Outcome[]> | Outcome[];

/** Whether a database can be opened: opening one that is missing, or lacks migrations, would create or migrate it. */
export const isReadable = (state: DatabaseState | undefined): boolean =>
  state?.exists === true && state.pending === 0 && state.refusal === undefined;

export const ok = (check: string, finding: string): Outcome => ({ check, verdict: "ok", finding });
export const warn = (check: string, finding: string, todo: string): Outcome => ({
  check,
  verdict: "warn",
  finding,
  todo,
});
export const fail = (check: string, finding: string, todo: string): Outcome => ({
  check,
  verdict: "fail",
  finding,
  todo,
});

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s`;
