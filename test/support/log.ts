import type { Log } from "@manifold-gateway/gateway";

export interface LogEntry {
  level: keyof Log;
  message: string;
  fields: Record<string, unknown>;
}

export const silent: Log = { info() {}, warn() {}, error() {} };

/** A log, and what was written to it; `heard` is called for each entry. */
export function recordLog(heard: (entry: LogEntry) => void = () => {}): { log: Log; entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  const at = (level: keyof Log) => (fields: Record<string, unknown>, message: string) => {
    entries.push({ level, message, fields });
    heard({ level, message, fields });
  };
  return { log: { info: at("info"), warn: at("warn"), error: at("error") }, entries };
}
