import { MODALITIES, OUTCOMES, toUsd } from "@manifold/store";
import { z } from "zod";
import { unauthorized } from "../access.ts";
import { toAccount, toMovement } from "../account/accounts.ts";
import { keyInfo } from "../account/keys.ts";
import { momentQuery, pageQuery } from "../account/paging.ts";
import { toCsv, toRecord } from "../account/records.ts";
import { Refusal } from "../http/refusal.ts";
import { defineRoute, type Surface } from "../route.ts";
import { accountEventsRoute } from "./events.ts";
import { generationRoute } from "./generation.ts";
import { accountJobRoutes } from "./jobs.ts";
import { keyRoutes } from "./keys.ts";
import * as shapes from "./shapes/account.ts";

const usageQuery = pageQuery.extend({
  modality: z.enum(MODALITIES).optional(),
  status: z.enum(OUTCOMES).optional(),
  model: z.string().max(256).optional(),
  key: z.string().max(256).optional().describe("The id of an API key."),
  from: momentQuery,
  to: momentQuery,
  format: z.enum(["json", "csv"]).default("json"),
});

/** The account interface. */
export const accountSurface: Surface = {
  name: "account",
  about: "Balance, usage and caps of an account.",
  prefix: "/api/compat/v1",
  routes: [
    defineRoute({
      method: "GET",
      path: "/usage",
      access: "caller",
      summary: "List the generation records of the account",
      query: usageQuery,
      answer: shapes.page(shapes.generation),
      also: {
        "text/csv": z.string().describe("The page as lines with a heading; `x-total-count` has the total."),
      },
      examples: {
        page: { query: { limit: "10", modality: "text", from: "2026-01-01" } },
        sheet: { query: { format: "csv" } },
      },
      async handler({ services, caller }, { query: { offset, limit, format, key, ...filter } }) {
        const chosen = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
        const { results, total } = await services.store.generations.list(
          { ...chosen, accountId: caller.accountId, ...(key !== undefined && { keyId: key }) },
          { offset, limit },
        );
        const records = results.map(toRecord);
        if (format === "json") return { body: { results: records, total, offset, limit } };
        return {
          headers: {
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": 'attachment; filename="usage.csv"',
            "x-total-count": String(total),
          },
          body: toCsv(records),
        };
      },
    }),
    generationRoute,
    accountEventsRoute,
    ...accountJobRoutes,
    defineRoute({
      method: "GET",
      path: "/ledger",
      access: "caller",
      summary: "List the movements of the account's credit, newest first",
      query: pageQuery,
      answer: shapes.page(shapes.movement),
      examples: { page: { query: { limit: "10" } } },
      async handler({ services, caller }, { query: page }) {
        const { results, total } = await services.store.ledger.list(caller.accountId, page);
        return { body: { results: results.map(toMovement), total, ...page } };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/account",
      access: "caller",
      summary: "Get the account with what is held of its credit",
      answer: shapes.account,
      examples: { own: {} },
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
      about: "By `x-api-key` only; a session has no key and gets a `403`.",
      answer: shapes.keyInfo,
      examples: {
        capped: {
          answer: { name: "laptop", isActive: true, daily: { limit: 5, spent: 1.25, remaining: 3.75 } },
        },
      },
      async handler({ services, caller, exchange }) {
        const { keyId: id, keyName: name, accountId } = caller;
        if (id === undefined || name === undefined)
          throw new Refusal("key_required", "A session has no API key: send one as 'x-api-key'.", {});
        // Documented for this one header only.
        if (exchange.header("x-api-key") === undefined)
          throw new Refusal(
            "invalid_api_key",
            "This route takes the API key as 'x-api-key' only, not as a bearer.",
          );
        return { body: await keyInfo(services, { id, accountId, name, isActive: true }) };
      },
    }),
    ...keyRoutes("/api-keys", "session", ({ caller }) => caller.accountId),
  ],
};
