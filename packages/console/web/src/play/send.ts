import { AS_PLAYGROUND, refusalOf } from "../api/client.ts";
import { type Piece, type ProtocolName, readAnswer, SPOKEN } from "./protocols.ts";

/** One request of the playground, as far as it has come. */
export interface Run {
  state: "running" | "done" | "failed" | "stopped";
  text: string;
  reasoning: string;
  fault?: string;
  finish?: string;
  usage?: unknown;
  /** What the answer's head says: the generation, the entry, losses and the rest. */
  headers: Record<string, string>;
  /** When each piece came, in milliseconds after the request. */
  times: number[];
  took?: number;
}

export const started: Run = { state: "running", text: "", reasoning: "", headers: {}, times: [] };

const SHOWN = [
  "x-generation-id",
  "x-request-id",
  "x-entry",
  "x-attempts",
  "x-translation",
  "x-losses",
  "x-hints",
];

/** Sends a body in a protocol and follows the answer; `onChange` is given the run after every piece. */
export async function send(
  name: ProtocolName,
  { body, model, signal }: { body: unknown; model: string; signal: AbortSignal },
  onChange: (run: Run) => void,
): Promise<void> {
  const began = performance.now();
  let run = started;
  const change = (more: Partial<Run>): void => {
    run = { ...run, ...more };
    onChange(run);
  };
  change({});
  try {
    const path = SPOKEN[name].path(model);
    const response = await fetch(path, {
      method: "POST",
      credentials: "same-origin",
      headers: AS_PLAYGROUND,
      body: JSON.stringify(body),
      signal,
    });
    change({ headers: shownOf(response.headers) });
    if (!response.ok || !response.body) throw await refusalOf(response, path);
    for await (const piece of readAnswer(name, response.body))
      change(joined(run, piece, performance.now() - began));
    if (run.state === "running") change({ state: "done" });
  } catch (error) {
    change(signal.aborted ? { state: "stopped" } : { state: "failed", fault: (error as Error).message });
  }
  change({ took: performance.now() - began });
}

const shownOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries(SHOWN.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));

const joined = (run: Run, piece: Piece, at: number): Partial<Run> => ({
  text: run.text + (piece.text ?? ""),
  reasoning: run.reasoning + (piece.reasoning ?? ""),
  ...(piece.finish !== undefined && { finish: piece.finish }),
  ...(piece.usage !== undefined && { usage: piece.usage }),
  ...(piece.error !== undefined && { state: "failed" as const, fault: piece.error }),
  times: [...run.times, Math.round(at)],
});
