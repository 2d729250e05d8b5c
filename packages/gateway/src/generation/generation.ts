import { MalformedReply } from "@manifold-gateway/core";
import { isProviderFault } from "@manifold-gateway/providers/routing";
import type { Price } from "@manifold-gateway/store";
import { faultName } from "../http/fault.ts";
import { watchHold } from "../observe/observed-call.ts";
import type { Hold, Opening, Outcome, Used } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";
import { choiceOf } from "../routing/queue.ts";
import { routeRecord } from "../routing/record.ts";
import { endStage, type RequestTrace } from "../routing/request-trace.ts";
import { speedOf } from "../routing/speed.ts";
import { ProviderCalls } from "./provider-calls.ts";
import { noteText } from "./provider-error.ts";
import type { GenerationService } from "./services.ts";
import type { Held, Plan, PlannedCall } from "./stages.ts";

/** A generation whose credit is held, until it ends: exactly once, whatever happens. */
export class Generation {
  readonly id: string;
  /** The price of the hold. */
  readonly #price: Price;
  readonly #hold: Hold;
  readonly #context: Context<"steady">;
  readonly #trace: RequestTrace;
  #state: "held" | "ended" = "held";

  constructor(context: Context<"steady">, trace: RequestTrace, { id, price }: Opening, hold: Hold) {
    this.id = id;
    this.#price = price;
    this.#hold = hold;
    this.#context = context;
    this.#trace = trace;
  }

  /** Records the usage so far: recovery charges it if this process dies. */
  checkpoint(usage: Used, price: Price): Promise<void> {
    return this.#hold.checkpoint(usage, price === this.#price ? undefined : price);
  }

  /** Notes the error for which it fails: its record blames the provider only for a fault of the provider's. */
  noteFault(error: unknown): void {
    this.#trace.fault = faultName(error);
    this.#trace.isBlameless = !isProviderFault(error);
    if (error instanceof MalformedReply && error.text !== undefined) noteText(this.#trace, error.text);
  }

  /** Ends the generation, once; resolves after the commit. Without usage nothing is charged. */
  async settle(status: Outcome["status"], usage?: Used, price?: Price): Promise<void> {
    this.#state = "ended";
    const trace = this.#trace;
    const { began, slot, id: requestId, progress } = this.#context;
    const now = trace.steady();
    const { queue, plan } = trace;
    const outcome: Outcome = {
      status,
      durationMs: Math.round(now - began),
      route: {},
    };
    if (usage) outcome.usage = trace.usage = usage;
    const speed = speedOf(trace, usage?.output, now);
    if (speed) trace.speed = speed;
    // Empty if nothing was planned.
    if (queue && plan) outcome.route = routeRecord(choiceOf(queue), plan, trace);
    outcome.route.requestId = requestId;
    if (status === "failed" && trace.isBlameless) outcome.route.fault = trace.fault ?? "internal";
    if (progress.guards) outcome.route.guards = progress.guards.map((decision) => ({ ...decision }));
    if (price && price !== this.#price) outcome.price = price;
    if (trace.errors) outcome.errors = trace.errors;
    if (trace.reply) outcome.reply = trace.reply;
    trace.cost = await this.#hold.settle(outcome);
    // A request whose generation used nothing may go on with another model; it gives up its slot when it ends.
    const ended = usage && slot?.end(usage.input + usage.output);
    if (ended) await ended;
  }

  /**
   * Releases the hold if nothing has ended the generation. That is a defect of ours, which the caller gets as an error.
   */
  async abandon(): Promise<void> {
    if (this.#state !== "held") return;
    this.#trace.isBlameless = true;
    await this.settle("failed").catch(() => {});
  }
}

/** Assigns the generation's id, which headers and log lines carry from then on. */
export function assignId(context: Context<"id">): string {
  const { progress, reservedId, services } = context;
  // A reserved id is for the first generation of its request.
  const id = (progress.generation === undefined ? reservedId : undefined) ?? services.id();
  progress.generation = id;
  return id;
}

/**
 * Assigns the generation's id and holds its credit. Throws a refusal if there is not enough. A promise only if that has
 * to wait.
 */
export function openGeneration<Of extends Plan, Stage extends PlannedCall<Of>>(
  context: Context<GenerationService>,
  planned: Stage & PlannedCall<Of>,
): (Stage & Held<Of>) | Promise<Stage & Held<Of>> {
  const { services, options, surface, slot } = context;
  const id = assignId(context);
  const opening: Opening = { ...planned.opening, id, labels: options.labels, surface: surface.name };
  const reserved = slot?.reserve(opening.usage.input + opening.usage.output);
  const hold = reserved
    ? reserved.then(() => services.billing.hold(opening))
    : services.billing.hold(opening);
  return hold instanceof Promise
    ? hold.then((held) => heldBy<Of, Stage>(context, planned, opening, held))
    : heldBy<Of, Stage>(context, planned, opening, hold);
}

function heldBy<Of extends Plan, Stage extends PlannedCall<Of>>(
  context: Context<GenerationService>,
  planned: Stage & PlannedCall<Of>,
  opening: Opening,
  unwatched: Hold,
): Stage & Held<Of> {
  const { watch } = context;
  const { trace } = planned;
  const hold = watch ? watchHold(unwatched, opening, watch) : unwatched;
  trace.generation = opening.id;
  endStage(trace, "hold");
  const generation = new Generation(context, trace, opening, hold);
  return { ...planned, generation, calls: new ProviderCalls<Of>(context, trace) };
}
