import type { Batch, BatchLine, BatchRef } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import type { Caller } from "../ports/access.ts";
import type { BatchDeps } from "./deps.ts";
import { LineMoney } from "./line-money.ts";
import { bodyOf } from "./read-line.ts";
import { sendLine } from "./send-line.ts";
import { judge, type Verdict } from "./verdict.ts";

/** What became of a line. `lost`: it is not this worker's any more, or its batch is cancelled. */
export type LineRun =
  | { result: "ended" | "lost" }
  /** It waits again, at least so long, in milliseconds. */
  | { result: Exclude<Verdict, "end">; wait?: number | undefined };

/** What the lines of one batch have in common. */
export interface LineContext {
  deps: BatchDeps;
  batch: Batch;
  ref: BatchRef;
  /** The object key of its file. */
  file: string;
  caller(): Promise<Caller>;
  signal: AbortSignal;
}

/** The pause before a write that failed is repeated, in milliseconds. */
const PAUSE = 1_000;
/** The times that a database may be away before the lease is left to run out. */
const REPEATS = 120;

/** Runs a line: reads it, sends it, and writes down what came of it. `isLast`: it is not tried again. */
export async function runLine(context: LineContext, line: BatchLine, isLast: boolean): Promise<LineRun> {
  const { deps, batch, ref, caller } = context;
  const { number } = line;
  const began = deps.clock.now();
  const body = await readBody(context, line);
  const money = new LineMoney(deps, ref, number);
  const reply = await sendLine(deps, batch, { number, body, money, caller });
  if (money.isLost || context.signal.aborted) return { result: "lost" };
  const { generation } = money;
  const { accountId } = batch;
  const sent = generation && { batch: batch.id, number, generation: generation.id, accountId };
  const cost = generation?.ending?.cost ?? 0;
  const verdict = judge(reply, cost);
  if (verdict !== "end" && !(verdict === "retry" && isLast)) {
    const durationMs = Math.max(0, deps.clock.now() - began);
    if (sent)
      await insist(context, () =>
        deps.store.batchLines.giveBack(ref, sent, { durationMs, ...generation.ending }),
      );
    return { result: verdict, wait: reply.wait };
  }
  const { status, answer } = reply;
  const ending = generation?.ending ?? { status: "failed", cost: 0 };
  const outcome = status < 400 ? "succeeded" : "errored";
  const written = await insist(
    context,
    async () =>
      (sent && (await deps.store.batchLines.finish(sent, { outcome, status, answer, ending }))) ||
      (!money.isHeld && (await deps.store.batchLines.refuse(ref, { number, status, answer }))),
  );
  return { result: written ? "ended" : "lost" };
}

async function readBody({ deps, batch, file }: LineContext, line: BatchLine): Promise<string> {
  const range = { start: line.start, end: line.start + line.length - 1 };
  const found = await deps.objects.get(file, { range });
  if (!found) throw new Error(`the file of batch "${batch.id}" is gone`);
  const bytes: Uint8Array[] = [];
  for await (const piece of found.stream) bytes.push(piece);
  return bodyOf(Buffer.concat(bytes), batch.surface);
}

/** Repeats a write while the database is away: what it writes was paid for. */
async function insist<T>({ deps, batch, signal }: LineContext, write: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || tried === REPEATS) throw error;
      if (tried === 1) logFailure(deps.log, error, { batch: batch.id }, "line of a batch not written");
      await new Promise<void>((resolve) => void deps.clock.after(PAUSE, resolve));
    }
  }
}
