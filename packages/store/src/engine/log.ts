/** The log for faults that no call of the store can report. Fields contain no secrets and no content of requests. */
export interface StoreLog {
  warn(fields: Record<string, unknown>, message: string): void;
}
