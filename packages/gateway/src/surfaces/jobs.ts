import type { JsonObject } from "@manifold-gateway/core/codec";
import type { JobKind } from "@manifold-gateway/store";
import { z } from "zod";
import { pageQuery } from "../account/paging.ts";
import { momentOf } from "../http/moments.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { mediaOf } from "../media/media.ts";
import type { Context } from "../ports/context.ts";
import type { JobView } from "../ports/jobs.ts";
import { defineRoute, type Route } from "../route.ts";
import { page } from "./shapes/account.ts";
import { job } from "./shapes/jobs.ts";

/** The kinds of jobs that callers order. Identity assets have a list of their own. */
const KINDS = ["image", "video", "speech"] as const;

/** What chooses among jobs. */
export const jobQuery = {
  kind: z.enum(KINDS).optional(),
  state: z.enum(["live", "ended"]).optional().describe("Only running jobs, or only ended ones."),
};

/** The conditions of such a query. */
export const chosenBy = ({
  kind,
  state,
}: {
  kind?: JobKind | undefined;
  state?: "live" | "ended" | undefined;
}) => ({
  kinds: kind === undefined ? KINDS : [kind],
  ...(state !== undefined && { live: state === "live" }),
});

/** A job of any kind, as its owner reads it. */
export function toJob({
  id,
  kind,
  model,
  state,
  taskId,
  shown,
  outputs,
  speech,
  error,
  ...rest
}: JobView): JsonObject {
  const subtitle = speech?.subtitle;
  const seconds = speech?.seconds;
  return {
    id,
    kind,
    model,
    status: state,
    ...(taskId !== undefined && { taskId }),
    ...(Array.isArray(shown.content) && { content: shown.content }),
    outputs: outputs.map(({ key: _, ...output }) => output),
    ...(subtitle !== undefined && { transcript: subtitle.text }),
    ...(seconds !== undefined && { durationSeconds: seconds }),
    ...(error && { error: { kind: error.kind, message: error.message } }),
    isExpired: rest.expired,
    isOrphan: rest.orphan,
    createdAt: momentOf(rest.createdAt),
    updatedAt: momentOf(rest.updatedAt),
    deadline: momentOf(rest.deadline),
    ...(rest.endedAt !== undefined && { endedAt: momentOf(rest.endedAt) }),
  };
}

type Read = (
  context: Context<"media">,
  ref: { id: string; accountId: string },
) => Promise<JobView | undefined>;

/** Defines a route for one job. Another account's job gets the same 404 as one that does not exist. */
const row = (method: "GET" | "DELETE", summary: string, about: string, read: Read): Route =>
  defineRoute({
    method,
    path: "/jobs/:generationId",
    access: "caller",
    summary,
    about,
    params: z.object({ generationId: z.string() }),
    answer: job,
    uses: ["media"],
    async handler(context, { params: { generationId: id } }) {
      const view = await read(context, { id, accountId: context.caller.accountId });
      if (!view || view.kind === "asset") throw new Refusal("not_found", `There is no job ${quote(id)}.`);
      return { body: toJob(view) };
    },
  });

/** Routes for the jobs of an account, all kinds in one list. */
export const accountJobRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/jobs",
    access: "caller",
    summary: "List the jobs of all kinds, newest first",
    query: pageQuery.extend(jobQuery),
    answer: page(job),
    examples: { all: {}, "that go on": { query: { state: "live", kind: "video" } } },
    uses: ["media"],
    async handler({ services, caller }, { query: { kind, state, ...paging } }) {
      const filter = { accountId: caller.accountId, ...chosenBy({ kind, state }) };
      const { results, total } = await mediaOf(services).jobs.list(filter, paging);
      return { body: { results: results.map(toJob), total, ...paging } };
    },
  }),
  row("GET", "Get a job of any kind", "Every read returns new links.", ({ services }, ref) =>
    mediaOf(services).jobs.get(ref),
  ),
  row(
    "DELETE",
    "Cancel a job of any kind",
    "Work that the provider has begun may still complete and be charged.",
    ({ services }, ref) => mediaOf(services).jobs.cancel(ref),
  ),
];
