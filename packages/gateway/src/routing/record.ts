import type { Loss } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { explainTraits } from "@manifold-gateway/providers/routing";
import type { Attempt } from "../ports/routing.ts";
import type { Candidate, Skipped } from "./candidate.ts";
import type { Placement } from "./rank-explanation.ts";
import type { Choice } from "./select.ts";
import type { Speed } from "./speed.ts";

/** An entry and the protocol or wire in which it is called. */
export type Spoken = Pick<Candidate, "id" | "model" | "provider" | "entry" | "learnt"> & {
  protocol: string;
};

/** A request that is sent to an entry, or would be. */
export interface Sent {
  resolution: Spoken;
  translated: boolean;
  losses: readonly Loss[];
  hints: readonly string[];
}

/** What became of a request that was sent. */
interface Course {
  attempts?: readonly Attempt[];
  replyLosses?: readonly Loss[];
  speed?: Speed | undefined;
  /** The model that the caller asked for, and why this one answers in its place. */
  fallback?: { from: string; cause: string } | undefined;
  /** The id of a request that ends before its work does. */
  requestId?: string;
}

const entryFields = ({ id, provider, entry, protocol }: Spoken) => ({
  entry: id,
  provider: provider.id,
  name: entry.name,
  protocol,
});

const skippedFields = ({ id, ...skipped }: Skipped) => ({ entry: id, ...skipped });

/** The most losses that a record keeps, of the request and of the reply each. */
const MOST = 100;
const boundedLosses = (losses: readonly Loss[]): JsonObject[] => losses.slice(0, MOST).map(shownLoss);

/** A loss with its place in the caller's request only, because callers do not know the canonical form. */
const shownLoss = ({ canonical: _, ...loss }: Loss): JsonObject => loss;

/** The route in a generation's record: the entry that served, the other entries, and what was lost. */
export function routeRecord(
  { model, alias, candidates, skipped }: Choice<Spoken>,
  { resolution, translated, losses }: Sent,
  { attempts, replyLosses = [], speed, fallback, requestId }: Course = {},
): JsonObject {
  const record: JsonObject = entryFields(resolution);
  record.translated = translated;
  record.revision = model.revision;
  if (alias !== undefined) record.requestedModel = alias;
  const called: JsonObject[] = candidates.map(entryFields);
  record.candidates = skipped.length > 0 ? [...called, ...skipped.map(skippedFields)] : called;
  if (attempts) {
    const made: JsonObject[] = [];
    for (const attempt of attempts) made.push({ ...attempt });
    record.attempts = made;
  }
  if (speed) record.speed = { ...speed };
  if (fallback) record.fallback = { ...fallback };
  if (requestId !== undefined) record.requestId = requestId;
  if (losses.length > 0) record.losses = boundedLosses(losses);
  if (replyLosses.length > 0) record.replyLosses = boundedLosses(replyLosses);
  return record;
}

/** Whether an entry is called in a protocol, which traits are about, and not by a wire of media. */
const speaks = ({ provider, protocol }: Spoken): boolean => Object.hasOwn(provider.speaks, protocol);

/** The route in an explanation, as far as it is known. `places` are those of the candidates. */
export function routeExplanation(
  choice: Choice<Spoken> | undefined,
  places: readonly Placement[],
  sent: Sent | undefined,
): JsonObject {
  return {
    ...(choice && {
      model: choice.model.id,
      ...(choice.alias !== undefined && { requestedModel: choice.alias }),
      revision: choice.model.revision,
      route: {
        candidates: choice.candidates.map((one, at) => ({
          ...entryFields(one),
          ...places[at],
          ...(speaks(one) &&
            explainTraits(one.entry, one.provider, one.protocol as UpstreamProtocol, one.learnt)),
        })),
        skipped: choice.skipped.map(skippedFields),
      },
    }),
    ...(sent && {
      entry: sent.resolution.id,
      translation: sent.translated ? "translated" : "passthrough",
      losses: sent.losses.map(shownLoss),
      hints: [...sent.hints],
    }),
  };
}
