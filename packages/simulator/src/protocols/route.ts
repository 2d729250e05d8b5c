import type { Call, MediaHandler, PlainAnswer, Protocol, Wire } from "./protocol.ts";

type Operation =
  | "generate"
  | "count"
  | "embed"
  | "rerank"
  | "moderate"
  | "list"
  | "image"
  | "video"
  | "task"
  | "tasks"
  | "cancel"
  | "batches"
  | "speech"
  | "transcription"
  | "voices"
  | "asset"
  | "library"
  | "file"
  | "sample"
  | "models";

/** A row of a wire's table: a request and who answers it. */
export interface Route {
  method: "GET" | "POST" | "DELETE";
  /** After the optional version prefix; a `model` group is the model's name. */
  path: RegExp;
  protocol: Wire;
  operation: Operation;
  /** The `Action` of the query, for wires that have one path. */
  action?: string;
  /** Where the path, not the body, says whether the answer streams. */
  streams?: boolean;
  /** Answers without a key. */
  open?: boolean;
  /** Generates text, or lists models. */
  text?: Protocol;
  plain?(body: unknown, call: Call): PlainAnswer;
  media?: MediaHandler;
  /** The bodies that are media requests, where not all of them are. */
  when?(body: unknown): boolean;
}
