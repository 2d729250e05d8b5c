/** The log for faults that no call of the store can report. Fields contain no secrets and no content of requests. */
export interface StoreLog {
  /** Writes a line that an operator should look at; the store goes on. */
  warn(fields: Record<string, unknown>, message: string): void;
}
