/** Logs refusals that need no credential, and limits their lines so that they cannot fill the log. */
export interface RefusalLog {
  /** Writes a line for the first refusal of its kind in a second and, after that second, the number of the others. */
  note(address: string, code: string, write: () => void): void;
}

/** Structured log lines: an event name and allow-listed fields. Never headers, queries, bodies or prompts. */
export interface Log {
  /** Writes what happens in a running service: starts, reloads, requests. */
  info(fields: Record<string, unknown>, message: string): void;
  /** Writes what an operator should look at: a provider that fails, a setting without effect. */
  warn(fields: Record<string, unknown>, message: string): void;
  /** Writes a fault of the service itself. */
  error(fields: Record<string, unknown>, message: string): void;
}
