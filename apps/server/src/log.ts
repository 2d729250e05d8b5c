import { pino } from "pino";
import { prettyLine } from "./pretty.ts";

/** Secrets that must not be readable in a log, whatever code wrote it. */
const SECRETS = [
  /mfk_[0-9A-Za-z]{20,}/g,
  /Bearer\s+[^\s"\\]+/gi,
  /sk-[\w-]{16,}/g,
  /([?&](?:s|sig|signature|key|token|X-Amz-[A-Za-z]+)=)[^&\s"\\]+/gi,
];

/** One finished log line without secrets. */
export const redact = (line: string): string =>
  SECRETS.reduce(
    (text, secret) => text.replace(secret, (_, kept) => `${typeof kept === "string" ? kept : ""}[redacted]`),
    line,
  );

/** `auto` is `pretty` on a terminal, and `json` elsewhere. */
export const LOG_FORMATS = ["auto", "json", "pretty"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * A logger of lines on standard error, of JSON unless a person reads them. Callers pass allow-listed fields; `redact`
 * is the second line of defence. `base` stands in every line.
 */
export function createLog(
  level: string,
  write?: (line: string) => void,
  base: { process: number } | null = null,
  format: LogFormat = "auto",
) {
  const send = write ?? ((line: string) => void process.stderr.write(line));
  const isTerminal = write === undefined && process.stderr.isTTY === true;
  const isPretty = format === "pretty" || (format === "auto" && isTerminal);
  const isColored = isTerminal && process.stderr.hasColors();
  return pino(
    { level, base },
    { write: (line: string) => send(isPretty ? prettyLine(redact(line), isColored) : redact(line)) },
  );
}
