/** Logs refusals that need no credential to cause, so that they do not fill the log. */
export interface RefusalLog {
  /** Writes the line of the first of its kind in a second; and the number of the others when it is over. */
  note(address: string, code: string, write: () => void): void;
}

/** Structured lines: an event name and allow-listed fields. Never headers, queries, bodies or prompts. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}
