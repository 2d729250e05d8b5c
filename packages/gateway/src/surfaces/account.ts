import { MODALITIES, OUTCOMES, toUsd } from "@manifold/store";
import { z } from "zod";
import { unauthorized } from "../access.ts";
import { keyInfo } from "../account/keys.ts";
import { pageQuery, readQuery } from "../account/paging.ts";
import { toCsv, toRecord } from "../account/records.ts";
import type { Answer, Context } from "../context.ts";
import { Refusal } from "../http/refusal.ts";
import type { Surface } from "../route.ts";
import { keyRoutes } from "./keys.ts";

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()], "must be an ISO date or time");

const usageQuery = pageQuery.extend({
  modality: z.enum(MODALITIES).optional(),
  status: z.enum(OUTCOMES).optional(),
  model: z.string().max(256).optional(),
  key: z.string().max(256).optional(),
  from: moment.transform(Date.parse).optional(),
  to: moment.transform(Date.parse).optional(),
  format: z.enum(["json", "csv"]).default("json"),
});

async function usage({ exchange, services, caller }: Context): Promise<Answer> {
  const { offset, limit, format, key, ...filter } = readQuery(exchange, usageQuery);
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
}

/** The account interface. */
export const accountSurface: Surface = {
  name: "account",
  prefix: "/api/compat/v1",
  routes: [
    {
      method: "GET",
      path: "/usage",
      access: "caller",
      summary: "List the generation records of the account",
      handler: usage,
    },
    {
      method: "GET",
      path: "/balance",
      access: "caller",
      summary: "Read the credit balance of the account",
      async handler({ services, caller }) {
        const account = await services.store.accounts.get(caller.accountId);
        if (!account) throw unauthorized("caller");
        return { body: { creditBalance: toUsd(account.balance) } };
      },
    },
    {
      method: "GET",
      path: "/api-key",
      access: "caller",
      summary: "Read name, status and caps of the calling key",
      async handler({ services, caller, exchange }) {
        const { keyId: id, keyName: name, accountId } = caller;
        if (id === undefined || name === undefined)
          throw new Refusal(403, "A session has no API key: send one as 'x-api-key'.", {
            code: "key_required",
          });
        // Documented for this one header only.
        if (exchange.header("x-api-key") === undefined) throw unauthorized("key");
        return { body: await keyInfo(services, { id, accountId, name, isActive: true }) };
      },
    },
    ...keyRoutes("/api-keys", "session", ({ caller }) => caller.accountId),
  ],
};
