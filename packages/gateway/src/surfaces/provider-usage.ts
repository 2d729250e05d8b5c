import type { FailedCall, ProviderError } from "@manifold-gateway/store";
import { z } from "zod";
import { readOverview, routesToLookAt } from "../account/overview.ts";
import { momentQuery } from "../account/paging.ts";
import { providersOf, readFigures, toCourse, toSummary, worstFirst } from "../account/provider-usage.ts";
import { DAY, momentOf } from "../http/moments.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { defineRoute, type Route } from "../route.ts";
import { overview } from "./shapes/overview.ts";
import * as shapes from "./shapes/providers.ts";

/** The longest range: more days would show no more of a provider. */
const MOST_DAYS = 400;
/** The failed calls of a page. */
const FAILURES = 50;

const query = z
  .object({ from: momentQuery, to: momentQuery })
  .refine(({ from, to }) => from === undefined || from < (to ?? Number.POSITIVE_INFINITY), {
    message: "must be after 'from'.",
    path: ["to"],
  })
  .refine(({ from, to }) => from === undefined || (to ?? Date.now()) - from <= MOST_DAYS * DAY, {
    message: `is too far back: a range has at most ${MOST_DAYS} days.`,
    path: ["from"],
  });

const about =
  "Of the last 24 hours without `from`. Hours are whole: `from` is rounded down, `to` up. Times to the first token begin with the call of the provider; they are compared with those of other providers for the same models, in the same proportions.";

const toFailure = ({ generation, at, error, ...call }: FailedCall & { error?: ProviderError }) => {
  const { accountId, model, entry, status, fault } = call;
  const { attempt: _, ...words } = error ?? {};
  return {
    ...{ at: momentOf(at), generationId: generation, accountId, model, entry },
    ...(status !== undefined && { status }),
    ...(fault !== undefined && { fault }),
    ...(Object.keys(words).length > 0 && { error: words }),
  };
};

/** What providers served and how, and what an operator should look at. */
export const providerUsageRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/overview",
    access: "operator",
    summary: "Get what an operator should look at, and the processes",
    about: "Routes are those of the range, the last 24 hours without `from`; all else is as of now.",
    query,
    answer: overview,
    examples: { "of a week": { query: { from: "2026-01-01", to: "2026-01-08" } } },
    mayLag: true,
    uses: ["now", "store", "wholeCatalog"],
    async handler({ services }, { query }) {
      const [figures, found] = await Promise.all([readFigures(services, query), readOverview(services)]);
      const { from, to } = figures;
      return { body: { ...found, from: momentOf(from), to: momentOf(to), ...routesToLookAt(figures) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/providers",
    access: "operator",
    summary: "List the providers with what they served, the worst first",
    about,
    query,
    answer: shapes.providers,
    examples: { "of a day": { query: { from: "2026-01-01", to: "2026-01-02" } } },
    mayLag: true,
    uses: ["now", "providers", "routing", "store", "wholeCatalog"],
    async handler({ services }, { query }) {
      const figures = await readFigures(services, query);
      const all = providersOf(services, figures).map((id) => toSummary(services, id, figures));
      const { from, to, bucket } = figures;
      return { body: { from: momentOf(from), to: momentOf(to), bucket, providers: worstFirst(all) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/providers/:providerId",
    access: "operator",
    summary: "Get a provider with what it served by time and model, and its last failed calls",
    about,
    query,
    answer: shapes.provider,
    examples: { one: { params: { providerId: "chatstyle" } } },
    mayLag: true,
    uses: ["now", "providers", "routing", "store", "wholeCatalog"],
    async handler({ services, params: { providerId = "" } }, { query }) {
      const figures = await readFigures(services, query);
      if (!providersOf(services, figures).includes(providerId) && !wasServed(figures.entries, providerId))
        throw new Refusal("provider_not_found", `There is no provider ${quote(providerId)}.`, {
          param: "providerId",
        });
      const failures = await services.store.usage.failedCalls(providerId, FAILURES);
      const { from, to, bucket } = figures;
      const { points: _, ...summary } = toSummary(services, providerId, figures);
      return {
        body: {
          ...summary,
          ...{ from: momentOf(from), to: momentOf(to), bucket },
          ...toCourse(providerId, figures),
          failures: failures.map(toFailure),
        },
      };
    },
  }),
];

/** A provider that served before the range, and is gone. */
const wasServed = (entries: ReadonlyMap<string, { provider: string }>, id: string): boolean =>
  [...entries.values()].some(({ provider }) => provider === id);
