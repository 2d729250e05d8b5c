import type { Metrics, Reload } from "@manifold-gateway/gateway";
import type { Settings } from "../config/load.ts";
import type { StopReason } from "./service.ts";

/** A process's membership in a group that serves together. */
export interface Membership {
  /** The process's number, from 1 on. A replacement gets the number of the process it replaces. */
  number: number;
  /** The number of processes. */
  of: number;
  /** The secret that signs links to files if the configuration has none. */
  linkSecret: string;
}

/** A message of the supervisor to a process. */
export type Order =
  /** The settings as the supervisor has read them, so that all processes serve the same even if the file changes. */
  | ({ type: "start" } & Settings & Membership)
  | { type: "stop"; why: StopReason }
  /** Freezes or unfreezes the models of this process, while others begin to serve new settings. */
  | { type: "freeze"; isOn: boolean }
  /** The outcome of a reload, which operators can read from every process. */
  | { type: "reloaded"; outcome: Reload }
  /** Requests the process's own metrics. */
  | { type: "measure"; id: number }
  /** The metrics of all processes, which this process requested. */
  | { type: "metrics"; id: number; metrics: Metrics };

/** A message of a process to its supervisor. */
export type Report =
  | { type: "listening"; origin: string; findings: string[] }
  /** The process cannot start; `why` is a sentence with the reason. */
  | { type: "failed"; why: string }
  | { type: "measured"; id: number; metrics: Metrics | undefined }
  | { type: "metrics"; id: number };
