import { quote, Refusal } from "../http/refusal.ts";
import type { Model } from "../ports/catalog.ts";

/** The name of a parameter on a surface, and the id of a model that it has as its value. */
type Cursor = readonly [param: string, id: string | undefined];

/** The page of a list of models that a query requests. */
export interface PageRequest {
  /** The most models of the page. Default: all that are left, so that clients which read one page miss none. */
  limit?: number | undefined;
  /** The page begins behind this model. */
  after?: Cursor;
  /** The page ends in front of this model. */
  before?: Cursor;
}

/** A page of a list of models, and whether more follow in its direction. Throws a 400 for an id that is not listed. */
export function pageOf(
  models: readonly Model[],
  { limit = Number.POSITIVE_INFINITY, after, before }: PageRequest,
): { page: readonly Model[]; hasMore: boolean } {
  const start = placeOf(models, after);
  const end = placeOf(models, before);
  const range = models.slice(start === undefined ? 0 : start + 1, end);
  const hasMore = range.length > limit;
  if (!hasMore) return { page: range, hasMore };
  return { page: end === undefined ? range.slice(0, limit) : range.slice(-limit), hasMore };
}

function placeOf(models: readonly Model[], [param, id]: Cursor = ["", undefined]): number | undefined {
  if (id === undefined) return undefined;
  const place = models.findIndex((model) => model.id === id);
  if (place >= 0) return place;
  const error = `${param}: there is no active model ${quote(id)}. Read the list from its beginning.`;
  throw new Refusal("invalid_request", error, { param });
}
