import {
  archivedMonth,
  findBatches,
  findGenerations,
  findings,
  findKeys,
  findQuery,
  findRefusals,
} from "../account/find.ts";
import { momentOf } from "../http/moments.ts";
import { defineRoute } from "../route.ts";

const about = `Generations and refused requests by their id or their request's \`x-request-id\`. An id that a client chose is looked for among the newest hundred thousand records.`;

/** Finds what belongs to an id or a name, in the caller's account. */
export const findRoute = defineRoute({
  method: "GET",
  path: "/find",
  access: "caller",
  summary: "Find what an id or a name belongs to",
  about,
  query: findQuery,
  answer: findings,
  examples: { one: { query: { q: "generation" } } },
  uses: ["store"],
  async handler({ services, caller: { accountId } }, { query: { q } }) {
    const paths = { generation: "/api/compat/v1/usage", job: "/api/compat/v1/jobs" };
    const [generations, refusals, batches, keys] = await Promise.all([
      findGenerations(services.store, q, { accountId, paths }),
      findRefusals(services.store, q, { accountId, path: "/api/compat/v1/refusals" }),
      findBatches(services.store, q, { accountId, path: "/api/compat/v1/batches" }),
      findKeys(services, q, accountId),
    ]);
    const results = [...generations, ...refusals, ...batches, ...keys];
    return { body: { results, ...(await archivedMonth(services.store, q, results)) } };
  },
});

/** Finds what belongs to an id or a name, in all accounts. */
export const findAnyRoute = defineRoute({
  method: "GET",
  path: "/find",
  access: "operator",
  summary: "Find what an id or a name belongs to, in all accounts",
  about,
  query: findQuery,
  answer: findings,
  examples: { one: { query: { q: "acc" } } },
  uses: ["store"],
  async handler({ services: { store } }, { query: { q } }) {
    const [generations, refusals, batches, byId, byLogin] = await Promise.all([
      findGenerations(store, q, {
        paths: { generation: "/api/admin/generations", job: "/api/admin/jobs" },
      }),
      findRefusals(store, q, { path: "/api/admin/refusals" }),
      findBatches(store, q, { path: "/api/admin/batches" }),
      store.accounts.get(q),
      store.accounts.findLogin(q),
    ]);
    const account = byId ?? byLogin?.account;
    const accounts = account
      ? [
          {
            ...{ kind: "account" as const, id: account.id, name: account.name },
            createdAt: momentOf(account.createdAt),
            path: `/api/admin/accounts/${encodeURIComponent(account.id)}`,
          },
        ]
      : [];
    const results = [...accounts, ...generations, ...refusals, ...batches];
    return { body: { results, ...(await archivedMonth(store, q, results)) } };
  },
});
