import { pino } from "pino";
import { prettyLine } from "./pretty-line.ts";

/** Patterns of secrets that no log line may contain. */
const SECRETS = [
  /mfk_[0-9A-Za-z]{20,}/g,
  /Bearer\s+[^\s"\\]+/gi,
  /sk-[\w-]{16,}/g,
  /([?&](?:s|sig|signature|key|token|X-Amz-[A-Za-z]+)=)[^&\s"\\]+/gi,
];

/** Removes secrets from a finished log line. */
export const redact = (line: string): string =>
  SECRETS.reduce(
    (text, secret) =>
      text.replace(secret, (_, prefix) => `${typeof prefix === "string" ? prefix : ""}[redacted]`),
    line,
  );

/** `auto` is `pretty` on a terminal, and `json` elsewhere. */
export const LOG_FORMATS = ["auto", "json", "pretty"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * A logger to standard error, in JSON unless a person reads it. Callers pass allow-listed fields; `redact` is the
 * second line of defence. The fields of `base` are in every line.
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
