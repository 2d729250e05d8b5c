import type { Metrics, Reload } from "@manifold-gateway/gateway";
import type { Source } from "../config/origins.ts";
import type { Config } from "../config/schema.ts";
import type { Environment } from "../config/variables.ts";
import type { StopReason } from "../host.ts";

/** What a process needs to know of the others that serve with it. */
export interface Membership {
  /** From 1 on. One that takes another's place has its number. */
  number: number;
  /** How many there are. */
  of: number;
  /** Signs links to files where the configuration has no secret to do it. */
  linkSecret: string;
}

/** What a process serves, as its supervisor has read it: all serve the same, whatever stands in the file meanwhile. */
export interface Settings {
  config: Config;
  env: Environment;
  source?: Source;
}

/** What the supervisor tells a process. */
export type Order =
  | ({ type: "start" } & Settings & Membership)
  | { type: "stop"; why: StopReason }
  /** Others begin to serve new settings: this one stays with the models that it has until it is replaced, or not. */
  | { type: "stay"; isOn: boolean }
  /** What came of a reload, which operators can read of every process. */
  | { type: "reloaded"; outcome: Reload }
  /** Asks for the process's own metrics. */
  | { type: "measure"; id: number }
  /** Those of all processes, which the process had asked for. */
  | { type: "metrics"; id: number; metrics: Metrics };

/** What a process tells its supervisor. */
export type Report =
  | { type: "listening"; origin: string; findings: string[] }
  /** It cannot start; the sentence says why. */
  | { type: "failed"; why: string }
  | { type: "measured"; id: number; metrics: Metrics | undefined }
  | { type: "metrics"; id: number };
