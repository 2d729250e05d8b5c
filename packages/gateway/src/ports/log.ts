/** Logs refusals that need no credential, and limits their lines so that they cannot fill the log. */
export interface RefusalLog {
  /** Writes a line for the first refusal of its kind in a second and, after that second, the number of the others. */
  note(address: string, code: string, write: () => void): void;
}

/** Structured log lines: an event name and allow-listed fields. Never headers, queries, bodies or prompts. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}
