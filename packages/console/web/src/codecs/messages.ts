import type { CALLS } from "./calls.ts";
import type { Progress } from "./reply-reader.ts";
import type { WireName } from "./wires.ts";

export type CodecCalls = typeof CALLS;

/** A request that the worker sends. */
export interface SendOrder {
  protocol: WireName;
  path: string;
  body: string;
}

/** Messages to the worker. */
export type ToWorker =
  | { type: "call"; id: number; call: keyof CodecCalls; args: unknown[] }
  | { type: "send"; id: number; order: SendOrder }
  | { type: "stop"; id: number };

/** A refusal of the service. */
export interface Refused {
  status: number;
  message: string;
  code: string | undefined;
  requestId: string | undefined;
  path: string;
}

/** How an answer ended. */
export interface Ended {
  /** Milliseconds after the request. */
  ms: number;
  refusal?: Refused;
  isStopped?: boolean;
  fault?: string;
}

/** Messages about a request that the worker sent. */
export type RunMessage =
  | { type: "head"; id: number; status: number; headers: [name: string, value: string][] }
  | { type: "progress"; id: number; progress: Progress }
  | ({ type: "end"; id: number } & Ended);

/** Messages of the worker. */
export type Sent = RunMessage | { type: "answer"; id: number; value?: unknown; fault?: string };
