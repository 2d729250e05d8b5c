import type { Provider, Transport } from "@manifold-gateway/providers";
import type { DatabaseState } from "@manifold-gateway/store";
import type { Config } from "../../config/schema.ts";
import type { Environment } from "../../config/variables.ts";

/** What a check found. */
export interface Outcome {
  check: string;
  verdict: "ok" | "warn" | "fail";
  found: string;
  /** What is to be done about it. */
  todo?: string;
}

/** What checks look at, and what they learn for those after them. */
export interface Case {
  config: Config;
  env: Environment;
  /** Absent where the installation has no file. */
  file?: string;
  providers: ReadonlyMap<string, Provider>;
  transport: Transport;
  now(): number;
  database?: DatabaseState;
  /** The address where a gateway serves already. */
  serving?: string;
  /** Other clocks beside ours: how far each is ahead, in milliseconds. */
  clocks: { of: string; aheadMs: number }[];
}

/** Each looks at one thing, changes nothing that lasts, and throws only what is a defect. */
export type Check = (of: Case) => Promise<Outcome[]> | Outcome[];

export const ok = (check: string, found: string): Outcome => ({ check, verdict: "ok", found });
export const warn = (check: string, found: string, todo: string): Outcome => ({
  check,
  verdict: "warn",
  found,
  todo,
});
export const fail = (check: string, found: string, todo: string): Outcome => ({
  check,
  verdict: "fail",
  found,
  todo,
});

/** An error in one sentence, with its cause, where many have their reason. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const why = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return why === undefined || error.message.includes(why)
    ? error.message
    : `${error.message.replace(/\.$/, "")}: ${why}`;
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s`;
