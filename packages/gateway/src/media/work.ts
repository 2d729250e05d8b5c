import type { Loss } from "@manifold/core";
import type { JsonObject } from "@manifold/core/codec";
import type { ImageAsk, ImagePreview, SpeechAsk, VideoAsk } from "@manifold/core/operations";
import type { Counts, Price } from "@manifold/store";
import { holdOf } from "../billing.ts";
import { startGeneration } from "../generation/begin.ts";
import type { Context } from "../ports/context.ts";
import type { JobView, Order } from "../ports/jobs.ts";
import { failing } from "../routing/ineligible.ts";
import { writeLosses } from "../routing/losses.ts";
import { routeRecord, type Sent } from "../routing/record.ts";
import { mediaOf } from "./media.ts";
import type { MediaRoute } from "./resolve.ts";

/** Work that can be begun. */
export type Work = {
  route: MediaRoute;
  /** The request as its record may hold it. */
  request: JsonObject;
  price: Price;
  /** The most that it can come to. */
  estimate: Counts;
  /** Members shown to readers beside the result. */
  shown?: JsonObject;
  /** Requested features that are not carried out. */
  losses: readonly Loss[];
  /** The caller does not want them reported. */
  quiet?: true;
  /** The caller is shown what is half done. */
  streams?: true;
} & (
  | { kind: "image"; ask: ImageAsk }
  | { kind: "video"; ask: VideoAsk }
  | { kind: "speech"; ask: SpeechAsk }
);

/** Estimates the hold, in micro-USD. */
export const estimateHold = ({ estimate, price }: Work): number => holdOf(estimate, price);

/** Makes the request for its entry. */
export const sentOf = ({ route, losses }: Work): Sent => ({
  resolution: route,
  translated: true,
  losses,
  hints: [],
});

/** Holds the credit for work and begins it. Refuses where there is not enough. */
export async function begin(
  context: Context,
  work: Work,
  preview?: (preview: ImagePreview) => void,
): Promise<JobView> {
  const { services, caller } = context;
  const { route, losses: _, quiet: _q, streams: _s, ...rest } = work;
  const { provider, entry, service, model } = route;
  const { breakers: health } = services.routing;
  // Where the circuit is half open this is the request that decides. Another may have been quicker.
  if (!health.enter(route.id, caller.accountId)) {
    const { accountId: account } = caller;
    throw failing(services, { account, model: model.id }, [route]);
  }
  const id = startGeneration(context);
  context.trace = { summary: () => ({ model: model.id, entry: route.id }) };
  context.watch?.ordered?.(id);
  const order: Order = {
    ...rest,
    id,
    caller,
    model: model.id,
    route: routeRecord(route, sentOf(work)),
    entry: { provider: provider.id, name: entry.name, wire: service.wire },
    // A surface with a protocol of its own hands on what the provider answers.
    ...(context.codec && { direct: true }),
    ...(preview && { preview }),
  };
  return mediaOf(services)
    .jobs.submit(order)
    .catch((error: unknown) => {
      health.left(route.id, caller.accountId);
      throw error;
    });
}

/** The headers of an answer about work: its generation, and what could not be said to its provider. */
export const headersOf = ({ id }: Pick<JobView, "id">, work?: Work): Record<string, string> => ({
  "x-generation-id": id,
  ...(work && !work.quiet && work.losses.length > 0 && { "x-losses": writeLosses(work.losses, []) }),
});
