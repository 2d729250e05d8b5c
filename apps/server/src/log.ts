import { pino } from "pino";

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

/**
 * A logger of JSON lines on standard error. Callers pass allow-listed fields; `redact` is the second line of defence.
 * `base` stands in every line.
 */
export const createLog = (
  level: string,
  write: (line: string) => void = (line) => void process.stderr.write(line),
  base: { process: number } | null = null,
) => pino({ level, base }, { write: (line: string) => write(redact(line)) });
