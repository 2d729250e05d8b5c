import type { JsonObject } from "@manifold-gateway/core/codec";
import { explainPlanned, explainRefusal } from "../generation/explain.ts";
import type { Refusal } from "../http/refusal.ts";
import { tooMany } from "../jobs/begin.ts";
import type { Answer, Context } from "../ports/context.ts";
import { dryRun } from "./dry-run.ts";
import { mediaOf } from "./media.ts";
import type { MediaTrail } from "./resolve.ts";
import type { MediaService } from "./services.ts";
import type { PreparedWork } from "./work.ts";

/** Makes a handler that plans the requested work and passes it to `run`, or explains it if only that is requested. */
export const planned =
  <Ask>(
    plan: (context: Context<MediaService>, ask: Ask, trace: MediaTrail) => Promise<PreparedWork>,
    run: (context: Context<MediaService>, ask: Ask, work: PreparedWork) => Promise<Answer | undefined>,
  ) =>
  async (context: Context<MediaService>, ask: Ask): Promise<Answer | undefined> => {
    const trace: MediaTrail = {};
    if (!context.options.explain) return run(context, ask, await plan(context, ask, trace));
    let prepared: PreparedWork;
    try {
      prepared = await plan(context, ask, trace);
    } catch (error) {
      return explainRefusal(context, error, trace);
    }
    const work = prepared.queue.first();
    const { upstream, refusal } = await dryRun(context, work);
    return explainPlanned(context, prepared, {
      upstream,
      refusal: (await fullness(context)) ?? refusal,
      estimate: work.estimate as JsonObject,
    });
  };

/** A 429 if the account is at its limit of running jobs. */
async function fullness({ services, caller: { accountId } }: Context<"media">): Promise<Refusal | undefined> {
  const { jobs, limits } = mediaOf(services);
  const live = { accountId, kinds: ["image", "video", "speech"], live: true } as const;
  const { total } = await jobs.list(live, { offset: 0, limit: 1 });
  return total < limits.maxLiveJobs ? undefined : tooMany("running jobs", limits.maxLiveJobs);
}
