import type { Log } from "@manifold-gateway/gateway";
import { gatherLines } from "./gather-lines.ts";
import { prettyLine } from "./pretty-line.ts";
import { redact } from "./redact.ts";

/** `auto` is `pretty` on a terminal, and `json` elsewhere. */
export const LOG_FORMATS = ["auto", "json", "pretty"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The least urgent lines that are written, from all to none. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const NUMBERS = { info: 30, warn: 40, error: 50 } as const satisfies Record<keyof Log, number>;

/** What a log does beside the lines of its level. */
export interface LogOptions {
  /** Fields of every line. */
  base?: { process: number };
  format?: LogFormat;
  /** Receives each line at once. Default: lines are gathered for standard error. */
  write?(line: string): void;
}

/**
 * A log on standard error, in JSON unless a person reads it. Callers pass allow-listed fields; `redact` is the second
 * line of defence.
 */
export function createLog(level: LogLevel, { base, format = "auto", write }: LogOptions = {}): Log {
  const isTerminal = write === undefined && process.stderr.isTTY === true;
  const isPretty = format === "pretty" || (format === "auto" && isTerminal);
  const isColored = isTerminal && process.stderr.hasColors();
  const pretty = (lines: string): string =>
    lines
      .trimEnd()
      .split("\n")
      .map((line) => prettyLine(line, isColored))
      .join("");
  const shown = (lines: string): string => (isPretty ? pretty(redact(lines)) : redact(lines));
  const take = write
    ? (line: string) => write(shown(line))
    : gatherLines((lines) => void process.stderr.write(shown(lines)));
  const always = membersOf({ ...base });
  const at = (name: keyof Log): Log[keyof Log] =>
    LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(level)
      ? () => {}
      : (fields, msg) =>
          take(
            `{"level":${NUMBERS[name]},"time":${Date.now()}${always}${membersOf(fields)},"msg":${JSON.stringify(msg)}}\n`,
            name === "error",
          );
  return { info: at("info"), warn: at("warn"), error: at("error") };
}

/** Fields as members of an object in JSON, each after a comma, so that no line needs a copy of its fields. */
function membersOf(fields: Record<string, unknown>): string {
  const members = toJson(fields).slice(1, -1);
  return members === "" ? "" : `,${members}`;
}

/** Fields that have no JSON form must not fail the work that is logged. */
function toJson(fields: Record<string, unknown>): string {
  try {
    return JSON.stringify(fields);
  } catch (error) {
    return JSON.stringify({ unwritable: String(error) });
  }
}
