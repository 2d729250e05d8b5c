import type { Price } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import { watchHold } from "../observe/watch.ts";
import type { Opening, Outcome } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";
import { endStage, type RequestTrace, traceHeaders, traceRecord } from "../routing/request-trace.ts";
import { speedOf } from "../routing/speed.ts";

/** A generation that credit is held for. */
export interface Begun {
  readonly id: string;
  /** Notes what was used so far: what is charged should this process die. */
  checkpoint(usage: NonNullable<Outcome["usage"]>, price: Price): Promise<void>;
  /** Ends it, once; resolves after the commit. Without a usage nothing is charged. */
  settle(status: Outcome["status"], usage?: Outcome["usage"], price?: Price): Promise<void>;
  /** Gives the hold back where nothing has ended it: that is a defect of ours, which the caller sees as an error. */
  abandon(): Promise<void>;
}

/** Gives the request's generation its id, which headers and log lines have from then on. */
export function startGeneration(context: Context): string {
  const id = context.reservedId ?? context.services.id();
  context.reservedId = undefined;
  context.generation = id;
  return id;
}

/** Holds credit for a generation, and gives it its id. */
export async function beginGeneration(
  context: Context,
  trace: RequestTrace,
  prepared: Omit<Opening, "id">,
): Promise<Begun> {
  const { services, started, watch } = context;
  const opening = { ...prepared, labels: context.options.labels, surface: context.surface };
  const id = startGeneration(context);
  await context.place?.reserve(opening.usage.input + opening.usage.output);
  const held = await services.billing.hold({ id, ...opening });
  const hold = watch ? watchHold(held, { id, ...opening }, watch) : held;
  trace.generation = id;
  endStage(trace, "hold");
  let ended = false;
  /** The price is reported if it is not the one that the generation began with. */
  const repriced = (price: Price | undefined) => (price === opening.price ? undefined : price);
  const settle: Begun["settle"] = async (status, usage, price) => {
    ended = true;
    if (usage) trace.usage = usage;
    const speed = speedOf(trace, usage?.output, trace.steady());
    if (speed) trace.speed = speed;
    const served = repriced(price);
    trace.cost = await hold.settle({
      status,
      durationMs: services.now() - started,
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

/** Adds the headers that tell how far the request got to an error that was thrown on the way. */
export function withTraceHeaders(error: unknown, trace: RequestTrace): unknown {
  if (!(error instanceof Refusal)) return error;
  const headers = { ...traceHeaders(trace), ...error.options.headers };
  return new Refusal(error.code, error.errors, { ...error.options, headers });
}
