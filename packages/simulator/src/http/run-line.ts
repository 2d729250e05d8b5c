import type { RunLine } from "../batches/batches.ts";
import { respond, type State } from "./exchange.ts";
import { findRoute } from "./routes.ts";

/** Answers a batch's line. Faults of delivery do not apply. */
export function runLine(state: State, { path, body, headers }: Parameters<RunLine>[0]): ReturnType<RunLine> {
  const url = new URL(path, "http://batch");
  const found = findRoute("POST", url, headers);
  if (!found) return { status: 404, body: null };
  const raw = JSON.stringify(body);
  const { status, answer, entry } = respond(state, { ...found, url, headers, raw, bytes: Buffer.from(raw) });
  return { status, body: "body" in answer ? answer.body : null, entry };
}
