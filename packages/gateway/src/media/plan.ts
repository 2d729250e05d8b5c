import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { type Skipped, toSkipped } from "../routing/candidate.ts";
import { EntryRejected } from "../routing/queue.ts";
import { type MediaKind, type MediaRoute, type MediaWish, resolveMedia } from "./resolve.ts";
import type { Work } from "./work.ts";

const ALONE = { why: "no_fallback", detail: "Work is begun once, at one entry." } as const;

/**
 * Plans work for one entry after the other, up to the first that can do it: no other is called afterwards, because it
 * cannot be known whether work was begun twice. Where every entry refuses the request, the first refusal is thrown.
 */
export async function planMedia(
  context: Context,
  model: string,
  operation: MediaKind,
  wish: MediaWish,
  plan: (route: MediaRoute) => Work | Promise<Work>,
): Promise<Work> {
  const selection = resolveMedia(context, model, operation, wish);
  const refused: Skipped[] = [];
  let refusal: Refusal | undefined;
  for (const [at, candidate] of selection.candidates.entries()) {
    const others = selection.candidates.slice(at + 1).map((other) => toSkipped(other, ALONE));
    const skipped = [...refused, ...others, ...selection.skipped];
    const route = { ...selection, ...candidate, candidates: [candidate], skipped };
    if (wish.trace) wish.trace.route = route;
    try {
      return await plan(route);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400) throw error;
      refusal ??= error;
      const why = error instanceof EntryRejected ? error.why : "refused";
      refused.push(toSkipped(candidate, { why, detail: error.message }));
    }
  }
  if (wish.trace)
    wish.trace.route = { ...selection, candidates: [], skipped: [...refused, ...selection.skipped] };
  throw refusal ?? new Refusal("model_inactive", "No entry serves this request.");
}
