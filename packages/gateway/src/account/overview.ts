import { MODALITIES, type Store, sumOf, toUsd } from "@manifold-gateway/store";
import { DAY, HOUR, momentOf } from "../http/moments.ts";
import { isOfJobs } from "../observe/job.ts";
import type { Services } from "../ports/services.ts";
import { allEntries } from "../routing/entry-state.ts";
import { isForSale } from "../routing/terms.ts";
import { BAD_SHARE, type ProviderFigures, toServed } from "./provider-usage.ts";

/** The days for which an account's credit has to last. */
const DAYS = 7;
/** The time after which a text request that has not ended is listed. */
const STALE = HOUR;
/** The fewest calls of a route for a meaningful share of errors. */
const LEAST_CALLS = 10;
/** The most findings of a kind that are listed. */
const MOST = 10;

/** What each route served, by its entry. */
const routesOf = ({ entries, points, failures }: ProviderFigures) =>
  [...Map.groupBy(points, ({ name = "" }) => name)].flatMap(([id, same]) => {
    const entry = entries.get(id);
    const ofEntry = failures.filter((one) => one.entry === id);
    return entry ? [{ ...entry, ...toServed(sumOf(same), ofEntry) }] : [];
  });
type RouteFigures = ReturnType<typeof routesOf>[number];

/** The routes whose calls fail most, and those that take longest to their first token. */
export function routesToLookAt(figures: ProviderFigures): Record<"failing" | "slowest", RouteFigures[]> {
  const routes = routesOf(figures).filter(({ calls }) => calls >= LEAST_CALLS);
  const isFailing = ({ errorShare = 0 }: RouteFigures): boolean => errorShare >= BAD_SHARE;
  return {
    failing: routes
      .filter(isFailing)
      .sort((a, b) => (b.errorShare ?? 0) - (a.errorShare ?? 0))
      .slice(0, MOST),
    slowest: routes
      .filter(({ p50FirstMs }) => p50FirstMs !== undefined)
      .sort((a, b) => (b.p50FirstMs ?? 0) - (a.p50FirstMs ?? 0))
      .slice(0, MOST),
  };
}

/** The active entries that have no price for what their model makes, and so cannot be sold. */
const unpricedEntries = (services: Pick<Services, "wholeCatalog">) =>
  allEntries(services)
    .filter(({ model, entry }) => model.isActive && entry.isActive && !isForSale(entry, model))
    .slice(0, MOST)
    .map(({ id, model, entry }) => ({
      entry: id,
      model: model.id,
      provider: entry.provider,
      name: entry.name,
    }));

/** The last jobs whose outcome at the provider is unknown. */
async function orphansOf({ jobs }: Pick<Store, "jobs">, now: number) {
  const orphans = await jobs.orphans({ offset: 0, limit: MOST });
  return orphans
    .filter(({ createdAt }) => createdAt > now - DAYS * DAY)
    .map(({ id, accountId, model, createdAt }) => ({ id, accountId, model, createdAt: momentOf(createdAt) }));
}

/** The modalities that no job generates. */
const AT_ONCE = MODALITIES.filter((modality) => !isOfJobs(modality));

/** Requests without a job that began long ago and have not ended: their process may hang, or be unknown to recovery. */
async function staleOf({ generations }: Pick<Store, "generations">, now: number) {
  const pending = await Promise.all(
    AT_ONCE.map((modality) =>
      generations.after(
        { status: "pending", modality, to: now - STALE },
        { limit: MOST, isWithRequest: false },
      ),
    ),
  );
  return pending
    .flat()
    .slice(0, MOST)
    .map(({ id, accountId, model, createdAt }) => ({
      ...{ id, accountId, model, createdAt: momentOf(createdAt) },
    }));
}

/** The active accounts whose credit lasts for less than a week at the last week's rate of spending. */
async function shortAccounts({ usage }: Pick<Store, "usage">, now: number) {
  const from = Math.floor((now - DAYS * DAY) / HOUR) * HOUR;
  const accounts = await usage.runningOut(from, MOST);
  return accounts.map(({ id, name, available, spent }) => ({
    ...{ id, name, usdAvailable: toUsd(available) },
    days: Math.max(0, Math.floor((available / spent) * DAYS * 10) / 10),
  }));
}

/** The last audit of the books, as the audit log has it. */
async function lastAudit({ auditLog }: Pick<Store, "auditLog">) {
  const [last] = (await auditLog.list({ actions: [AUDITED] }, { offset: 0, limit: 1 })).results;
  const { differences } = (last?.after ?? {}) as { differences?: number };
  return last && { at: momentOf(last.at), actor: last.actor, differences: differences ?? 0 };
}

/** The action in the audit log of an audit of the books. */
export const AUDITED = "books_audited";

/** The findings for operators, except those about routes. */
export async function readOverview(services: Pick<Services, "now" | "store" | "wholeCatalog">) {
  const { store } = services;
  const now = services.now();
  const [orphans, stale, accounts, audit, processes] = await Promise.all([
    orphansOf(store, now),
    staleOf(store, now),
    shortAccounts(store, now),
    lastAudit(store),
    store.processes(),
  ]);
  return {
    at: momentOf(now),
    unpriced: unpricedEntries(services),
    ...{ orphans, stale, accounts },
    ...(audit && { audit }),
    processes: processes.map(({ owner, startedAt, heartbeatAt }) => ({
      ...{ owner, startedAt: momentOf(startedAt), heartbeatAt: momentOf(heartbeatAt) },
      isThis: owner === store.owner,
    })),
  };
}
