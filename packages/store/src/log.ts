/** Where a store reports what no call of it can answer. Fields hold no secrets and nothing of requests. */
export interface StoreLog {
  warn(fields: Record<string, unknown>, message: string): void;
}
