import type { Batch, BatchLine, LineEnd } from "@manifold-gateway/store";
import type { Caller } from "../ports/access.ts";
import { LineMoney } from "./line-money.ts";
import { bodyOf } from "./read-line.ts";
import { retryWrite } from "./retry-write.ts";
import { type LineReply, sendLine } from "./send-line.ts";
import type { Collector } from "./upstream/collector.ts";
import { judge, type Verdict } from "./verdict.ts";
import type { WorkContext } from "./work-context.ts";

/** The result of running a line. `lost`: it no longer belongs to this worker, or its batch is cancelled. */
export type LineRun =
  | { result: "ended" | "lost" }
  /** The line waits again, for at least `wait` milliseconds. */
  | { result: Exclude<Verdict, "end">; wait?: number | undefined };

/** The context that all lines of one batch share. */
export interface LineContext extends WorkContext {
  batch: Batch;
  /** The object key of its file. */
  file: string;
  caller(): Promise<Caller>;
  /** Collects lines for upstream batches. */
  collector?: Collector;
}

/** Runs a line: reads it, sends it, and records the result. `isLast`: it is not tried again. */
export async function runLine(context: LineContext, line: BatchLine, isLast: boolean): Promise<LineRun> {
  const { deps, batch, ref, caller, collector } = context;
  const { number } = line;
  const began = deps.clock.now();
  const money = new LineMoney(deps, ref, number);
  try {
    const body = await readBody(context, line);
    const taking = line.isDirect ? undefined : collector?.take({ number, money });
    const exchanged = taking && { deferral: taking };
    const reply = await sendLine(deps, batch, { number, body, money, caller, exchanged });
    if (taking?.isTaken) return { result: "ended" };
    return await endLine(context, { number, money, reply, began, isLast });
  } finally {
    // Collected lines may be due now, whatever the result of this line is.
    await collector?.flush();
  }
}

/** The answer to a line. */
interface Answered {
  number: number;
  money: LineMoney;
  reply: LineReply;
  /** When it was sent, in milliseconds since the epoch. */
  began: number;
  isLast: boolean;
  /** The provider's id of the upstream batch that answered it. */
  remoteId?: string | undefined;
  /** False: there is an answer, but the line could not get it. */
  isReached?: boolean;
}

/** Records the result of a line: its end with the charge, or that it waits again. */
export async function endLine(
  context: LineContext,
  { number, money, reply, began, isLast, remoteId, isReached = true }: Answered,
): Promise<LineRun> {
  const { deps, batch, ref } = context;
  if (money.isLost || context.signal.aborted) return { result: "lost" };
  const { generation } = money;
  const { accountId } = batch;
  const sent = generation && { batch: batch.id, number, generation: generation.id, accountId };
  const cost = generation?.ending?.cost ?? 0;
  const durationMs = Math.max(0, deps.clock.now() - began);
  const verdict = judge(reply, cost);
  if (!isReached) {
    const { status, code } = reply;
    if (verdict === "end")
      deps.log.error(
        { batch: batch.id, line: number, status, code },
        "answer of a provider's batch not delivered",
      );
    return { result: "wait", wait: reply.wait };
  }
  if (verdict !== "end" && !(verdict === "retry" && isLast)) {
    if (sent)
      await retryWrite(context, () =>
        deps.store.batchLines.giveBack(ref, sent, { durationMs, ...generation.ending }),
      );
    return { result: verdict, wait: reply.wait };
  }
  const { status, answer } = reply;
  const ended = generation?.ending ?? { status: "failed", cost: 0 };
  const ending = remoteId === undefined ? ended : ofBatch(ended, remoteId, durationMs);
  const outcome = status < 400 ? "succeeded" : "errored";
  const written = await retryWrite(
    context,
    async () =>
      (sent && (await deps.store.batchLines.finish(sent, { outcome, status, answer, ending }))) ||
      (!money.isHeld && (await deps.store.batchLines.refuse(ref, { number, status, answer }))),
  );
  return { result: written ? "ended" : "lost" };
}

/** The end of a line that an upstream batch answered: it has the duration of the upstream batch, and no speed. */
function ofBatch(ending: LineEnd["ending"], batch: string, durationMs: number): LineEnd["ending"] {
  const { speed: _, ...route } = ending.route ?? {};
  return { ...ending, durationMs, route: { ...route, batch } };
}

/** The body of a line's request. */
export async function readBody(
  { deps, batch, file }: LineContext,
  line: Pick<BatchLine, "start" | "length">,
): Promise<string> {
  const range = { start: line.start, end: line.start + line.length - 1 };
  const found = await deps.objects.get(file, { range });
  if (!found) throw new Error(`the file of batch "${batch.id}" is gone`);
  const bytes: Uint8Array[] = [];
  for await (const piece of found.stream) bytes.push(piece);
  return bodyOf(Buffer.concat(bytes), batch.surface);
}
