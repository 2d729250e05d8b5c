import { type Logger, pino, symbols } from "pino";
import { gatherLines } from "./gather-lines.ts";
import { prettyLine } from "./pretty-line.ts";
import { redact } from "./redact.ts";

/** `auto` is `pretty` on a terminal, and `json` elsewhere. */
export const LOG_FORMATS = ["auto", "json", "pretty"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The least urgent lines that are written, from all to none. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Lines of this level are not gathered. */
const URGENT = pino.levels.values.error as number;

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
export function createLog(level: LogLevel, { base, format = "auto", write }: LogOptions = {}): Logger {
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
  if (write) return pino({ level, base: base ?? null }, { write: (line) => write(shown(line)) });
  const take = gatherLines((lines) => void process.stderr.write(shown(lines)));
  const destination = {
    // Has the level of each line set before the line is written.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write: (line: string) => take(line, destination.lastLevel >= URGENT),
  };
  return pino({ level, base: base ?? null }, destination);
}
