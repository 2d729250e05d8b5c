import type { Price } from "@manifold/store";
import { startGeneration } from "../context.ts";
import { Refusal } from "../http/refusal.ts";
import type { Hold, Opening, Outcome } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";
import { endStage, type RequestTrace, traceHeaders, traceRecord } from "./request-trace.ts";
import { speedOf } from "./speed.ts";

/** Ends a generation, once, at a price that is not the one it began with; resolves after the commit. */
export type Settle = (status: Outcome["status"], usage?: Outcome["usage"], price?: Price) => Promise<void>;

/** Holds for a generation that is about to begin, and gives it its id. */
export async function beginGeneration(
  context: Context,
  trace: RequestTrace,
  opening: Omit<Opening, "id">,
): Promise<{ id: string; hold: Hold; settle: Settle; abandon(): Promise<void> }> {
  const { services, started } = context;
  const id = startGeneration(context);
  await context.place?.reserve(opening.usage.input + opening.usage.output);
  const hold = await services.billing.hold({ id, ...opening });
  trace.generation = id;
  endStage(trace, "hold");
  let ended = false;
  const settle: Settle = async (status, usage, price = opening.price) => {
    ended = true;
    if (usage) trace.usage = usage;
    const speed = speedOf(trace, usage?.output, performance.now());
    if (speed) trace.speed = speed;
    trace.cost = await hold.settle({
      status,
      durationMs: services.now() - started,
      route: traceRecord(trace),
      ...(usage && { usage }),
      ...(price !== opening.price && { price }),
    });
    await context.place?.end(usage && usage.input + usage.output);
  };
  return {
    id,
    hold,
    settle,
    // What ends nothing is a defect of ours: the hold is let go all the same, and the caller hears of the defect.
    abandon: async () => (ended ? undefined : settle("failed").catch(() => {})),
  };
}

/** What is thrown on the way, with the headers that tell how far it went. */
export function withTraceHeaders(error: unknown, trace: RequestTrace): unknown {
  if (!(error instanceof Refusal)) return error;
  const headers = { ...traceHeaders(trace), ...error.options.headers };
  return new Refusal(error.code, error.errors, { ...error.options, headers });
}
