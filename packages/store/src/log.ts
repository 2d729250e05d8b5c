/** The log for faults that no call of a store can report. Fields hold no secrets and nothing of requests. */
export interface StoreLog {
  warn(fields: Record<string, unknown>, message: string): void;
}
