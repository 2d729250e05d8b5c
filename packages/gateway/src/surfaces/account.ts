import { toUsd } from "@manifold-gateway/store";
import { unauthorized } from "../access/authenticate.ts";
import { toAccount, toMovement } from "../account/accounts.ts";
import { keyInfo } from "../account/keys.ts";
import { pageQuery } from "../account/paging.ts";
import { Refusal } from "../http/refusal.ts";
import { defineRoute, type Surface } from "../route.ts";
import { accountBatchRoutes } from "./account-batches.ts";
import { accountEventsRoute } from "./events.ts";
import { findRoute } from "./find.ts";
import { generationRoutes } from "./generation.ts";
import { accountJobRoutes } from "./jobs.ts";
import { sessionKeyRoutes } from "./keys.ts";
import { refusalRoutes } from "./refusals.ts";
import * as shapes from "./shapes/account.ts";
import { usageRoutes } from "./usage.ts";

/** The account interface. */
export const accountSurface: Surface = {
  name: "account",
  about: "Balance, usage and caps of an account.",
  prefix: "/api/compat/v1",
  routes: [
    ...usageRoutes,
    ...generationRoutes,
    findRoute,
    ...refusalRoutes,
    accountEventsRoute,
    ...accountJobRoutes,
    ...accountBatchRoutes,
    defineRoute({
      method: "GET",
      path: "/ledger",
      access: "caller",
      summary: "List the movements of the account's credit, newest first",
      query: pageQuery,
      answer: shapes.page(shapes.movement),
      examples: { page: { query: { limit: "10" } } },
      mayLag: true,
      uses: ["store"],
      async handler({ services, caller }, { query: page }) {
        const { results, total } = await services.store.ledger.list(caller.accountId, page);
        return { body: { results: results.map(toMovement), total, ...page } };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/account",
      access: "caller",
      summary: "Get the account with its balance and holds",
      answer: shapes.account,
      examples: { plain: {} },
      uses: ["store"],
      async handler({ services, caller }) {
        const account = await services.store.accounts.get(caller.accountId);
        if (!account) throw unauthorized("caller");
        return { body: toAccount(account) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/balance",
      access: "caller",
      summary: "Get the credit balance of the account",
      answer: shapes.balance,
      examples: { balance: { answer: { creditBalance: 12.5 } } },
      uses: ["store"],
      async handler({ services, caller }) {
        const account = await services.store.accounts.get(caller.accountId);
        if (!account) throw unauthorized("caller");
        return { body: { creditBalance: toUsd(account.balance) } };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api-key",
      access: "caller",
      summary: "Get name, status and caps of the calling key",
      about: "Only with `x-api-key`; a session has no key and gets a `403`.",
      answer: shapes.keyInfo,
      examples: {
        capped: {
          answer: { name: "laptop", isActive: true, daily: { limit: 5, spent: 1.25, remaining: 3.75 } },
        },
      },
      uses: ["now", "store"],
      async handler({ services, caller, exchange }) {
        const { keyId: id, keyName: name, accountId } = caller;
        if (id === undefined || name === undefined)
          throw new Refusal("key_required", "A session has no API key: send one as 'x-api-key'.");
        // This route is documented for this header only.
        if (exchange.header("x-api-key") === undefined)
          throw new Refusal(
            "invalid_api_key",
            "This route accepts the API key as 'x-api-key' only, not as a bearer token.",
          );
        return { body: await keyInfo(services, { id, accountId, name, isActive: true }) };
      },
    }),
    ...sessionKeyRoutes,
  ],
};
