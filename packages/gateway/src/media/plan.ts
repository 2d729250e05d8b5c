import { type Planner, PlanQueue } from "@manifold-gateway/providers/routing";
import { Refusal } from "../http/refusal.ts";
import { modalities } from "../observe/job.ts";
import type { Context } from "../ports/context.ts";
import { isEntryRefusal } from "../routing/queue.ts";
import {
  type MediaCandidate,
  type MediaKind,
  type MediaRoute,
  type MediaRouteOptions,
  resolveMedia,
} from "./resolve.ts";
import { estimateHold, type PreparedWork, type Work, type WorkAt } from "./work.ts";

/**
 * Plans work for the entries that may be called: the first that can do it, and the ones after it as fallbacks. If
 * every entry refuses the request, the first refusal is thrown.
 */
export async function planMedia(
  context: Context<"catalog" | "now" | "providers" | "routing">,
  model: string,
  operation: MediaKind,
  options: MediaRouteOptions,
  plan: (route: MediaRoute) => WorkAt | Promise<WorkAt>,
): Promise<PreparedWork> {
  const { services, caller } = context;
  const selection = resolveMedia(context, model, operation, options);
  const { preferences } = selection;
  const planner = new WorkPlanner();
  const queue = new PlanQueue(selection, planner, {
    most: services.routing.maxAttempts,
    isRejection: isEntryRefusal,
  });
  if (options.trace) options.trace.queue = queue;
  for (const candidate of selection.candidates)
    planner.add(candidate, await planAt(candidate, () => plan({ ...candidate, preferences })));
  const works = [queue.first()];
  for (let next = queue.next(); next; next = queue.next()) works.push(next);
  const [first] = works as [Work];
  return {
    queue,
    works,
    opening: {
      caller,
      modality: modalities[operation],
      model: selection.model.id,
      request: first.request,
      price: first.price,
      usage: { input: 0, output: 0 },
      amount: estimateHold(first),
      exact: true,
    },
  };
}

/** Work that was planned in advance, since fetching and measuring its media takes time. */
class WorkPlanner implements Planner<Work, MediaCandidate> {
  readonly #planned = new Map<MediaCandidate, Work | Refusal>();

  add(candidate: MediaCandidate, planned: Work | Refusal): void {
    this.#planned.set(candidate, planned);
  }

  plan(candidate: MediaCandidate): Work {
    const planned = this.#planned.get(candidate);
    if (planned instanceof Refusal) throw planned;
    return planned as Work;
  }
}

/** Plans the work for one entry. Returns the refusal if the entry cannot do it. */
async function planAt(
  resolution: MediaCandidate,
  plan: () => WorkAt | Promise<WorkAt>,
): Promise<Work | Refusal> {
  try {
    const work: Work = { ...(await plan()), resolution, translated: true };
    estimateHold(work);
    return work;
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error;
    throw error;
  }
}
