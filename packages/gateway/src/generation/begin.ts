import type { Price } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import { watchHold } from "../observe/observed-call.ts";
import type { Opening, Outcome } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";
import { endStage, type RequestTrace, traceHeaders, traceRecord } from "../routing/request-trace.ts";
import { speedOf } from "../routing/speed.ts";

/** A generation whose credit is held. */
export interface Begun {
  readonly id: string;
  /** Records the usage so far: recovery charges it if this process dies. */
  checkpoint(usage: NonNullable<Outcome["usage"]>, price: Price): Promise<void>;
  /** Ends the generation, once; resolves after the commit. Without usage nothing is charged. */
  settle(status: Outcome["status"], usage?: Outcome["usage"], price?: Price): Promise<void>;
  /**
   * Releases the hold if nothing has ended the generation. That is a defect of ours, which the caller gets as an
   * error.
   */
  abandon(): Promise<void>;
}

/** Assigns the generation's id, which headers and log lines carry from then on. */
export function startGeneration(context: Context): string {
  const id = context.reservedId ?? context.services.id();
  context.reservedId = undefined;
  context.generation = id;
  return id;
}

/** Assigns the generation's id and holds its credit. */
export async function beginGeneration(
  context: Context,
  trace: RequestTrace,
  prepared: Omit<Opening, "id">,
): Promise<Begun> {
  const { services, began, watch } = context;
  const opening = { ...prepared, labels: context.options.labels, surface: context.surface };
  const id = startGeneration(context);
  await context.place?.reserve(opening.usage.input + opening.usage.output);
  const held = await services.billing.hold({ id, ...opening });
  const hold = watch ? watchHold(held, { id, ...opening }, watch) : held;
  trace.generation = id;
  endStage(trace, "hold");
  let ended = false;
  /** The price is only passed if it differs from the price of the hold. */
  const repriced = (price: Price | undefined) => (price === opening.price ? undefined : price);
  const settle: Begun["settle"] = async (status, usage, price) => {
    ended = true;
    if (usage) trace.usage = usage;
    const speed = speedOf(trace, usage?.output, trace.steady());
    if (speed) trace.speed = speed;
    const served = repriced(price);
    trace.cost = await hold.settle({
      status,
      durationMs: Math.round(services.steady() - began),
      route: traceRecord(trace),
      ...(usage && { usage }),
      ...(served && { price: served }),
    });
    await context.place?.end(usage && usage.input + usage.output);
  };
  return {
    id,
    checkpoint: (usage, price) => hold.checkpoint(usage, repriced(price)),
    settle,
    abandon: async () => (ended ? undefined : settle("failed").catch(() => {})),
  };
}

/** Adds the request's trace headers, which show how far it got, to a refusal. */
export function withTraceHeaders(error: unknown, trace: RequestTrace): unknown {
  if (!(error instanceof Refusal)) return error;
  const headers = { ...traceHeaders(trace), ...error.options.headers };
  return new Refusal(error.code, error.errors, { ...error.options, headers });
}
