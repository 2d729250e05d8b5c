import { z } from "zod";
import { toAuditEntry } from "../account/audit.ts";
import { momentQuery, pageQuery } from "../account/paging.ts";
import { defined } from "../account/usage-filters.ts";
import { defineRoute } from "../route.ts";
import * as shapes from "./shapes/account.ts";

const word = z.string().min(1).max(256).optional();

const query = pageQuery.extend({
  account: word.describe("The id of an account."),
  actor: word.describe("`operator:NAME`, `account:ID`, `command:USER`, `configuration` or `service`."),
  action: word.describe("One, or several with commas between: any of them."),
  subject: word.describe("The id of a key, model or movement, or the login of a refused sign-in."),
  from: momentQuery,
  to: momentQuery,
});

/** Lists who changed what. */
export const auditLogRoute = defineRoute({
  method: "GET",
  path: "/audit-log",
  access: "operator",
  summary: "List the audit log, newest first",
  about:
    "Changes of keys, accounts, caps, credit, models and configuration, with the values before and after; amounts in micro-USD. Refused sign-ins and operator credentials are kept for 90 days.",
  query,
  answer: shapes.page(shapes.auditEntry),
  examples: { "of an account": { query: { account: "acc", limit: "10" } } },
  uses: ["store"],
  async handler({ services }, { query: { offset, limit, account, action, ...rest } }) {
    const filter = defined({ ...rest, actions: action?.split(","), accountId: account });
    const { results, total } = await services.store.auditLog.list(filter, { offset, limit });
    return { body: { results: results.map(toAuditEntry), total, offset, limit } };
  },
});
