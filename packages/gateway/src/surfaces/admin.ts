import { ReferenceTaken, toMicro, toUsd } from "@manifold-gateway/store";
import { z } from "zod";
import { spendsOf, toAccount, toMovement } from "../account/accounts.ts";
import { byOf, note } from "../account/audit.ts";
import {
  accountIdField,
  amountField,
  loginField,
  nameField,
  passwordField,
  referenceField,
} from "../account/fields.ts";
import { AUDITED } from "../account/overview.ts";
import { pageQuery } from "../account/paging.ts";
import { hashPassword } from "../account/password.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { defineRoute, type Surface } from "../route.ts";
import { allBatchRoutes } from "./all-batches.ts";
import { allGenerationRoutes } from "./all-generations.ts";
import { allJobRoutes } from "./all-jobs.ts";
import { auditLogRoute } from "./audit-log.ts";
import { catalogComparisonRoute, configurationRoute, reloadsRoute } from "./configuration.ts";
import { booksRoute } from "./daily-ledger.ts";
import { declarationTestRoutes } from "./declaration-tests.ts";
import { declarationRoutes } from "./declarations.ts";
import { operatingRoutes } from "./entries.ts";
import { allEventsRoute } from "./events.ts";
import { explainingRoute } from "./explain.ts";
import { findAnyRoute } from "./find.ts";
import { keyRoutes } from "./keys.ts";
import { findAccount } from "./operator.ts";
import { presetsRoute } from "./presets.ts";
import { providerUsageRoutes } from "./provider-usage.ts";
import { refundRoute } from "./refunds.ts";
import { allRefusalRoutes } from "./refusals.ts";
import * as shapes from "./shapes/account.ts";
import { allUsageRoute } from "./usage-series.ts";

const newAccount = z.strictObject({ id: accountIdField.optional(), name: nameField });
const credit = z.strictObject({
  amount: amountField,
  kind: z.enum(["topup", "writeoff"]).default("topup"),
  reference: referenceField.optional(),
});
const password = z.strictObject({ login: loginField.optional(), password: passwordField });
const accountChange = z.strictObject({ name: nameField.optional(), isActive: z.boolean().optional() });

const acc = { accountId: "acc" };

/** The routes of operators. */
export const adminSurface: Surface = {
  name: "admin",
  about: "Administration by operators.",
  prefix: "/api/admin",
  routes: [
    defineRoute({
      method: "POST",
      path: "/accounts",
      access: "operator",
      summary: "Create an account",
      body: newAccount,
      statuses: [201],
      answer: shapes.account,
      examples: { named: { body: { name: "Ada" } } },
      uses: ["addressOf", "id", "log", "now", "store"],
      async handler(context, { body: { id: requestedId, name } }) {
        const { services } = context;
        const id = requestedId ?? `acc_${services.id()}`;
        if (await services.store.accounts.get(id))
          throw new Refusal("account_exists", "An account with this id exists already.", {
            param: "id",
          });
        const by = byOf(context);
        const account = await services.store.accounts.ensure({ id, name, at: by.at, by });
        note(context, "account_created", { account: id });
        return { body: toAccount(account) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/accounts",
      access: "operator",
      summary: "List the accounts",
      query: pageQuery.extend({ with: z.enum(["spend"]).optional() }),
      answer: shapes.page(shapes.listedAccount),
      examples: {
        page: { query: { limit: "10" } },
        "with what they spent": { query: { with: "spend" } },
      },
      uses: ["now", "store"],
      async handler({ services }, { query: { with: more, ...page } }) {
        const { results, total } = await services.store.accounts.list(page);
        const spends = more && (await spendsOf(services, results));
        const listed = results.map((one) => ({ ...toAccount(one), ...spends?.(one.id) }));
        return { body: { results: listed, total, ...page } };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/accounts/:accountId",
      access: "operator",
      summary: "Get an account",
      answer: shapes.account,
      examples: { one: { params: acc } },
      uses: ["store"],
      handler: async (context) => ({ body: toAccount(await findAccount(context)) }),
    }),
    defineRoute({
      method: "PATCH",
      path: "/accounts/:accountId",
      access: "operator",
      summary: "Rename, deactivate or activate an account",
      body: accountChange,
      answer: shapes.account,
      examples: { rename: { params: acc, body: { name: "Ada L." } } },
      uses: ["access", "addressOf", "log", "now", "store"],
      async handler(context, { body: { name, isActive } }) {
        const { accounts } = context.services.store;
        const { id } = await findAccount(context);
        const change = { ...(name !== undefined && { name }), ...(isActive !== undefined && { isActive }) };
        await accounts.change(id, change, byOf(context));
        context.services.access.forget();
        note(context, "account_changed", { account: id });
        return { body: toAccount(await findAccount(context)) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/accounts/:accountId/credit",
      access: "operator",
      summary: "Add credit, once per reference",
      about:
        "`201` if it was added, `200` if the same credit was added under the reference before, and `409` if the reference was used for another credit.",
      body: credit,
      statuses: [201, 200],
      answer: shapes.credited,
      examples: { "top up": { params: acc, body: { amount: 25, reference: "invoice-1" } } },
      uses: ["addressOf", "id", "log", "now", "store"],
      async handler(context, { body: { amount, kind, ...body } }) {
        const { services } = context;
        const { id } = await findAccount(context);
        const { reference = `credit_${services.id()}` } = body;
        const by = byOf(context);
        const movement = { accountId: id, amount: toMicro(amount), kind, reference, at: by.at, by };
        const isNew = await services.store.accounts.credit(movement).catch((error: unknown) => {
          if (!(error instanceof ReferenceTaken)) throw error;
          throw new Refusal("reference_taken", `reference: ${quote(reference)} was used for other credit.`, {
            param: "reference",
          });
        });
        if (isNew) note(context, "account_credited", { account: id });
        return {
          status: isNew ? 201 : 200,
          body: { ...toAccount(await findAccount(context)), reference, credited: isNew },
        };
      },
    }),
    refundRoute,
    auditLogRoute,
    defineRoute({
      method: "GET",
      path: "/accounts/:accountId/ledger",
      access: "operator",
      summary: "List the ledger of an account, newest first",
      query: pageQuery,
      answer: shapes.page(shapes.movement),
      examples: { page: { params: acc, query: { limit: "10" } } },
      mayLag: true,
      uses: ["store"],
      async handler(context, { query: page }) {
        const { id } = await findAccount(context);
        const { results, total } = await context.services.store.ledger.list(id, page);
        return { body: { results: results.map(toMovement), total, ...page } };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/accounts/:accountId/password",
      access: "operator",
      summary: "Set the login and password of an account; its sessions end",
      body: password,
      answer: shapes.account,
      examples: { set: { params: acc, body: { login: "ada", password: "correct horse battery" } } },
      uses: ["access", "addressOf", "log", "now", "store"],
      async handler(context, { body: { password: plain, ...body } }) {
        const { services } = context;
        const account = await findAccount(context);
        const { login = account.login ?? account.name } = body;
        const hash = await hashPassword(plain);
        const by = byOf(context);
        const done = await services.store.accounts.setPassword({
          id: account.id,
          login,
          hash,
          at: by.at,
          by,
        });
        if (done === "taken")
          throw new Refusal("login_taken", "Another account has this login.", { param: "login" });
        services.access.forget();
        note(context, "password_set", { account: account.id });
        return { body: toAccount(await findAccount(context)) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/audit",
      access: "operator",
      summary: "Audit the books: recompute every balance and every charge",
      about: "The audit log notes that it was done, and the number of differences.",
      answer: shapes.auditReport,
      examples: { all: {} },
      uses: ["addressOf", "now", "store"],
      async handler(context) {
        const { store } = context.services;
        const started = performance.now();
        const differences = await store.money.audit();
        const { records, ...amounts } = await store.ledger.totals();
        const after = { differences: differences.length, records };
        await store.auditLog.add(byOf(context), { action: AUDITED, after });
        const totals = Object.fromEntries(
          Object.entries(amounts).map(([name, amount]) => [name, toUsd(amount)]),
        );
        return {
          body: {
            differences: differences.map((difference) => ({ ...difference })),
            totals: { ...totals, records },
            ms: Math.round(performance.now() - started),
          },
        };
      },
    }),
    booksRoute,
    ...operatingRoutes,
    ...providerUsageRoutes,
    explainingRoute,
    allEventsRoute,
    configurationRoute,
    catalogComparisonRoute,
    ...declarationRoutes,
    ...declarationTestRoutes,
    presetsRoute,
    reloadsRoute,
    ...allGenerationRoutes,
    ...allBatchRoutes,
    ...allJobRoutes,
    findAnyRoute,
    ...allRefusalRoutes,
    allUsageRoute,
    ...keyRoutes(
      "/accounts/:accountId/api-keys",
      "operator",
      async (context) => (await findAccount(context)).id,
    ),
  ],
};
