import type { JsonObject } from "@manifold/core/codec";
import { foretell, refusedBy } from "../generation/explain.ts";
import { Refusal } from "../http/refusal.ts";
import { tooMany } from "../jobs/begin.ts";
import { modalities } from "../observe/job.ts";
import type { Answer, Context } from "../ports/context.ts";
import { dryRun } from "./dry-run.ts";
import { mediaOf } from "./media.ts";
import type { MediaTrail } from "./resolve.ts";
import { estimateHold, sentOf, type Work } from "./work.ts";

/**
 * A handler that plans the requested work and passes it to `run`; or explains it, where the caller requests only
 * that.
 */
export const planned =
  <Ask>(
    plan: (context: Context, ask: Ask, trace: MediaTrail) => Work | Promise<Work>,
    run: (context: Context, ask: Ask, work: Work) => Promise<Answer | undefined>,
  ) =>
  async (context: Context, ask: Ask): Promise<Answer | undefined> =>
    context.options.explain
      ? explainWork(context, (trace) => plan(context, ask, trace))
      : run(context, ask, await plan(context, ask, {}));

/** It is prepared as it would be to be begun; nothing is called, held, stored or charged. */
async function explainWork(
  context: Context,
  prepare: (trace: MediaTrail) => Work | Promise<Work>,
): Promise<Answer> {
  const { services, caller } = context;
  const trace: MediaTrail = {};
  let work: Work;
  try {
    work = await prepare(trace);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 200, body: refusedBy(error, trace.route) };
  }
  const { route, kind, request, price, estimate } = work;
  const amount = estimateHold(work);
  const opening = {
    caller,
    modality: modalities[kind],
    model: route.model.id,
    request,
    price,
    amount,
  } as const;
  const usage = { input: 0, output: 0 };
  const headroom = await services.billing.headroom?.({ ...opening, usage, exact: true });
  const { upstream, refusal } = await dryRun(context, work);
  return {
    status: 200,
    body: foretell(caller, {
      choice: route,
      sent: sentOf(work),
      refusal: headroom?.refusal ?? (await fullness(context)) ?? refusal,
      upstream,
      amount,
      estimate: estimate as JsonObject,
      headroom,
    }),
  };
}

/** 429 where the account is at its limit of live jobs. */
async function fullness({ services, caller: { accountId } }: Context): Promise<Refusal | undefined> {
  const { jobs, limits } = mediaOf(services);
  const live = { accountId, kinds: ["image", "video", "speech"], live: true } as const;
  const { total } = await jobs.list(live, { offset: 0, limit: 1 });
  return total < limits.maxLiveJobs ? undefined : tooMany("jobs under way", limits.maxLiveJobs);
}
