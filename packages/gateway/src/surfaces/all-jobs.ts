import type { JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";
import { accountNamesOf } from "../account/account-names.ts";
import { byOf, note } from "../account/audit.ts";
import { beforeQuery, endOfPage, newestFirst, nextOf } from "../account/newest-first.ts";
import { momentQuery, pageQuery } from "../account/paging.ts";
import { accountQuery, chosenQuery, defined } from "../account/usage-filters.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { mediaOf } from "../media/media.ts";
import type { OperatorContext } from "../ports/context.ts";
import type { JobView } from "../ports/jobs.ts";
import { defineRoute, type Route } from "../route.ts";
import { chosenBy, jobQuery, toJob } from "./jobs.ts";
import { anyJob } from "./shapes/jobs.ts";

const query = pageQuery.pick({ limit: true }).extend({
  account: accountQuery,
  key: chosenQuery.key,
  ...jobQuery,
  from: momentQuery,
  to: momentQuery,
  before: beforeQuery,
});

type Deps = Pick<OperatorContext<"media" | "store">, "services">;

/** Jobs as operators read them. */
async function rowsOf({ services }: Deps, views: readonly JobView[]): Promise<JsonObject[]> {
  const names = await accountNamesOf(services.store, views);
  return views.map((view): JsonObject => {
    const { accountId, keyId, entry, outputs } = view;
    const { content: _, transcript: _t, ...shown } = toJob(view);
    return {
      ...shown,
      outputs: outputs.map(({ assetId, mediaType, size }) => ({ assetId, mediaType, size })),
      userId: accountId,
      ...names.get(accountId),
      ...(keyId !== undefined && { apiKeyId: keyId }),
      ...(entry && { provider: entry.provider }),
    };
  });
}

/** Finds a job of any account; identity assets have a list of their own. */
async function find({ services }: Deps, id: string): Promise<JobView | undefined> {
  const view = await mediaOf(services).jobs.find(id);
  return view?.kind === "asset" ? undefined : view;
}

async function read(context: Deps, id: string): Promise<JobView> {
  const found = await find(context, id);
  if (found) return found;
  throw new Refusal("not_found", `There is no job ${quote(id)}.`);
}

const params = z.object({ generationId: z.string() });

/** Routes for the jobs of all accounts. */
export const allJobRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/jobs",
    access: "operator",
    summary: "List the jobs of all accounts, newest first",
    about: "Without what was asked for and what was made.",
    query,
    answer: newestFirst(anyJob, "jobs"),
    examples: { "that go on": { query: { state: "live", limit: "10" } } },
    mayLag: true,
    uses: ["media", "store"],
    async handler(context, { query: { limit, before, account, key, kind, state, from, to } }) {
      const after = await endOfPage({ id: before, param: "before", noun: "job" }, (id) => find(context, id));
      const filter = defined({
        ...chosenBy({ kind, state }),
        accountId: account,
        keyId: key,
        from,
        to,
        after,
      });
      const views = await mediaOf(context.services).jobs.newest(filter, limit);
      return { body: { results: await rowsOf(context, views), ...nextOf(views, limit) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/jobs/:generationId",
    access: "operator",
    summary: "Get a job of any account",
    params,
    answer: anyJob,
    uses: ["media", "store"],
    async handler(context, { params: { generationId: id } }) {
      const [row] = await rowsOf(context, [await read(context, id)]);
      return { body: row };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/jobs/:generationId",
    access: "operator",
    summary: "Cancel a job of any account",
    about:
      "Work that the provider has begun may still complete and be charged. The audit log has it as `job_cancelled`.",
    params,
    answer: anyJob,
    uses: ["addressOf", "log", "media", "now", "store"],
    async handler(context, { params: { generationId: id } }) {
      const { services } = context;
      const before = await read(context, id);
      const { accountId } = before;
      const after = (await mediaOf(services).jobs.cancel({ id, accountId })) ?? before;
      if (before.endedAt === undefined) {
        const act = { action: "job_cancelled", accountId, subject: id };
        await services.store.auditLog.add(byOf(context), act);
        note(context, act.action, { account: accountId });
      }
      const [row] = await rowsOf(context, [after]);
      return { body: row };
    },
  }),
];
