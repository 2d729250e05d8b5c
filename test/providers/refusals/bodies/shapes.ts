import type { Traits } from "@manifold-gateway/core/codec";

/** An error body of a vendor, and what it says of the model. */
export interface RefusalBody {
  vendor: string;
  /** Default: 400. */
  status?: number;
  body: unknown;
  /** The traits of the model before. Default: none. */
  before?: Traits;
  traits: Traits;
}

export type Row = Omit<RefusalBody, "vendor">;

export const from = (vendor: string, rows: readonly Row[]): RefusalBody[] =>
  rows.map((row) => ({ vendor, ...row }));

/** The form of the chat and responses wires. */
export const flat = (message: string, param: string | null = null, code: string | null = null) => ({
  error: { message, type: "invalid_request_error", param, code },
});
export const typed = (message: string) => ({
  type: "error",
  error: { type: "invalid_request_error", message },
  request_id: "req_011",
});
export const coded = (message: string, details?: unknown[]) => ({
  error: { code: 400, message, status: "INVALID_ARGUMENT", ...(details && { details }) },
});
export const listed = (type: string, loc: (string | number)[], msg: string) => ({
  detail: [{ type, loc, msg, input: "x" }],
});

export const usual: Traits = { sampling: "usual" };
export const someEfforts: Traits = { efforts: ["low", "medium", "high"] };
export const alwaysThinks: Traits = { thinking: ["adaptive", "manual"] };
