import { isDeepStrictEqual } from "node:util";
import type { Loss } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { ImageAsk, ImagePreview, SpeechAsk, VideoAsk } from "@manifold-gateway/core/operations";
import type { Counts, Price } from "@manifold-gateway/store";
import { holdOf } from "../billing/amounts.ts";
import { assignId } from "../generation/generation.ts";
import type { Planned } from "../generation/stages.ts";
import type { Context, RequestSummary, Traced } from "../ports/context.ts";
import type { JobView, Order } from "../ports/jobs.ts";
import type { Attempt } from "../ports/routing.ts";
import { writeList, writeLosses } from "../routing/losses.ts";
import { failing } from "../routing/no-entry.ts";
import { choiceOf } from "../routing/queue.ts";
import { routeRecord, type Sent } from "../routing/record.ts";
import { mediaOf } from "./media.ts";
import type { MediaCandidate } from "./resolve.ts";

/** The work of a request at one entry. */
export type WorkAt = {
  /** The request as the record may store it. */
  request: JsonObject;
  price: Price;
  /** The most that the work can use. */
  estimate: Counts;
  /** Members to show with the result. */
  shown?: JsonObject;
  /** Requested features that are lost. */
  losses: readonly Loss[];
  /** Likely mistakes. */
  hints: readonly string[];
  /** The caller does not want losses reported. */
  quiet?: true;
  /** The caller receives partial results. */
  streams?: boolean;
} & (
  | { kind: "image"; ask: ImageAsk }
  | { kind: "video"; ask: VideoAsk }
  | { kind: "speech"; ask: SpeechAsk }
);

/** The work and its entry. */
export type Work = WorkAt & Sent & { resolution: MediaCandidate };

/** Work that can begin at the first of `works`. If that entry refuses it, the next one is tried. */
export interface PreparedWork extends Planned<Work, MediaCandidate> {
  works: readonly Work[];
}

/** Computes the hold, in micro-USD. */
export const estimateHold = ({ estimate, price }: Pick<Work, "estimate" | "price">): number =>
  holdOf(estimate, price);

const entryOf = ({ resolution: { provider, entry, service } }: Work) => ({
  provider: provider.id,
  name: entry.name,
  wire: service.wire,
});

/** The facts about a request for a job in its log line. */
class JobTrace implements Traced {
  generation: string | undefined = undefined;
  readonly #model: string;
  readonly #resolution: MediaCandidate;

  constructor(model: string, resolution: MediaCandidate) {
    this.#model = model;
    this.#resolution = resolution;
  }

  summary(): RequestSummary {
    const { id, provider } = this.#resolution;
    return { model: this.#model, entry: id, provider: provider.id };
  }
}

/** Holds credit and begins the work. Throws if there is not enough credit. */
export async function begin(
  context: Context<"id" | "media" | "now" | "routing">,
  { works, queue, opening }: PreparedWork,
  { shown, preview }: { shown?: JsonObject; preview?: (preview: ImagePreview) => void } = {},
): Promise<JobView> {
  const { services, caller } = context;
  const { breakers: health } = services.routing;
  const { accountId: account } = caller;
  // Entering a half-open circuit makes this request its probe. If another request was faster, the next entry is
  // taken.
  const at = works.findIndex(({ resolution }) => health.enter(resolution.id, account));
  const work = works[at];
  if (!work) {
    const entries = works.map(({ resolution }) => resolution);
    throw failing(services, { account, model: opening.model }, entries);
  }
  const id = assignId(context);
  const trace = new JobTrace(opening.model, work.resolution);
  context.progress.trace = trace;
  context.watch?.ordered?.(id);
  const choice = choiceOf(queue);
  const { resolution, translated: _t, hints: _h, losses: _l, quiet: _q, streams: _s, ...rest } = work;
  const order: Order = {
    ...rest,
    ...(shown && { shown }),
    id,
    caller,
    model: opening.model,
    labels: context.options.labels,
    surface: context.surface.name,
    route: routeRecord(choice, work, { requestId: context.id }),
    entry: entryOf(work),
    attempts: works.slice(0, at).map(skippedAttempts),
    fallbacks: works.slice(at + 1).map((other) => ({
      entry: entryOf(other),
      price: other.price,
      estimate: other.estimate,
      ask: other.ask,
      route: routeRecord(choice, other, { requestId: context.id }),
    })),
    // A surface with a protocol forwards the provider's answer, so the first failure is final.
    ...(context.surface.codec && { direct: true }),
    ...(preview && { preview }),
  };
  try {
    const view = await mediaOf(services).jobs.submit(order);
    trace.generation = id;
    return view;
  } catch (error) {
    health.inconclusive(resolution.id, account);
    throw error;
  }
}

const skippedAttempts = ({ resolution: { id, provider } }: Work): Attempt => ({
  entry: id,
  provider: provider.id,
  fault: "circuit_open",
  ms: 0,
});

/** The headers of an answer about work: its generation, and the losses at its entry. */
export function headersOf(
  { id, entry }: Pick<JobView, "id" | "entry">,
  { works }: Pick<PreparedWork, "works"> = { works: [] },
): Record<string, string> {
  const served = works.find((work) => isDeepStrictEqual(entryOf(work), entry)) ?? works[0];
  const showsLosses = served && !served.quiet && served.losses.length > 0;
  return {
    "x-generation-id": id,
    ...(served && served.hints.length > 0 && { "x-hints": writeList(served.hints) }),
    ...(showsLosses && { "x-losses": writeLosses(served.losses, []) }),
  };
}
