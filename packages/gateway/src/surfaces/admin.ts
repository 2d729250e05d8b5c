import { type Account, toMicro } from "@manifold/store";
import { z } from "zod";
import { toAccount, toMovement } from "../account/accounts.ts";
import { pageQuery, readQuery } from "../account/paging.ts";
import { hashPassword } from "../account/password.ts";
import type { Context } from "../context.ts";
import { readJson, smallBody } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import type { Surface } from "../route.ts";
import { parse } from "./heads.ts";
import { keyRoutes } from "./keys.ts";

const id = z.string().regex(/^[\w.:@-]{1,128}$/, "must be 1 to 128 letters, digits and . : @ _ -");
const name = z.string().trim().min(1).max(64);
const own = id.refine((text) => text !== "house" && text !== "revenue", "is a side of the ledger");
const newAccount = z.object({ id: own.optional(), name });
const credit = z.object({
  amount: z.number().min(0.000001).max(1_000_000_000),
  kind: z.enum(["topup", "writeoff"]).default("topup"),
  reference: id.optional(),
});
const password = z.object({ login: id.optional(), password: z.string().min(10).max(256) });
const accountChange = z.object({ name: name.optional(), isActive: z.boolean().optional() });

const missing = (): Refusal => new Refusal(404, "There is no such account.", { code: "account_not_found" });

async function findAccount({ services, params }: Context): Promise<Account> {
  const account = await services.store.accounts.get(params.accountId ?? "");
  if (!account) throw missing();
  return account;
}

/** One line for whoever has to account for what operators did. */
const note = ({ services }: Context, event: string, account: string): void =>
  services.log.info({ event, account }, "audit");

const body = async <T>({ exchange }: Context, schema: z.ZodType<T>): Promise<T> =>
  parse(schema, (await readJson(exchange, smallBody)).value);

/** What whoever runs the service may do. */
export const adminSurface: Surface = {
  name: "admin",
  prefix: "/api/admin",
  routes: [
    {
      method: "POST",
      path: "/accounts",
      access: "operator",
      summary: "Create an account",
      async handler(context) {
        const { services } = context;
        const { id = `acc_${services.id()}`, name } = await body(context, newAccount);
        if (await services.store.accounts.get(id))
          throw new Refusal(409, "There is an account with this id.", {
            param: "id",
            code: "account_exists",
          });
        const account = await services.store.accounts.ensure({ id, name, at: services.now() });
        return { status: 201, body: toAccount(account) };
      },
    },
    {
      method: "GET",
      path: "/accounts",
      access: "operator",
      summary: "List the accounts",
      async handler({ exchange, services }) {
        const page = readQuery(exchange, pageQuery);
        const { results, total } = await services.store.accounts.list(page);
        return { body: { results: results.map(toAccount), total, ...page } };
      },
    },
    {
      method: "GET",
      path: "/accounts/:accountId",
      access: "operator",
      summary: "Read one account",
      handler: async (context) => ({ body: toAccount(await findAccount(context)) }),
    },
    {
      method: "PATCH",
      path: "/accounts/:accountId",
      access: "operator",
      summary: "Rename, deactivate or activate an account",
      async handler(context) {
        const { accounts } = context.services.store;
        const { id } = await findAccount(context);
        const { name, isActive } = await body(context, accountChange);
        if (name !== undefined) await accounts.ensure({ id, name, at: context.services.now() });
        if (isActive !== undefined) await accounts.setActive(id, isActive);
        context.services.access.forget();
        note(context, "account_changed", id);
        return { body: toAccount(await findAccount(context)) };
      },
    },
    {
      method: "POST",
      path: "/accounts/:accountId/credit",
      access: "operator",
      summary: "Add credit, once for each reference",
      async handler(context) {
        const { services } = context;
        const { id } = await findAccount(context);
        const { amount, kind, reference = `credit_${services.id()}` } = await body(context, credit);
        const movement = { accountId: id, amount: toMicro(amount), kind, reference, at: services.now() };
        const isNew = await services.store.accounts.credit(movement);
        if (isNew) note(context, "account_credited", id);
        return {
          status: isNew ? 201 : 200,
          body: { ...toAccount(await findAccount(context)), reference, credited: isNew },
        };
      },
    },
    {
      method: "GET",
      path: "/accounts/:accountId/ledger",
      access: "operator",
      summary: "List the movements of credit of an account, newest first",
      async handler(context) {
        const page = readQuery(context.exchange, pageQuery);
        const { id } = await findAccount(context);
        const { results, total } = await context.services.store.ledger.list(id, page);
        return { body: { results: results.map(toMovement), total, ...page } };
      },
    },
    {
      method: "POST",
      path: "/accounts/:accountId/password",
      access: "operator",
      summary: "Set the login and password of an account; its sessions end",
      async handler(context) {
        const { services } = context;
        const account = await findAccount(context);
        const { login = account.login ?? account.name, password: plain } = await body(context, password);
        const hash = await hashPassword(plain);
        const done = await services.store.accounts.setPassword({
          id: account.id,
          login,
          hash,
          at: services.now(),
        });
        if (done === "taken")
          throw new Refusal(409, "Another account has this login.", { param: "login", code: "login_taken" });
        services.access.forget();
        note(context, "password_set", account.id);
        return { body: toAccount(await findAccount(context)) };
      },
    },
    {
      method: "GET",
      path: "/audit",
      access: "operator",
      summary: "Compare every total and every charge with what it stands for",
      async handler({ services }) {
        const differences = await services.store.money.audit();
        return { body: { differences: differences.map((difference) => ({ ...difference })) } };
      },
    },
    ...keyRoutes(
      "/accounts/:accountId/api-keys",
      "operator",
      async (context) => (await findAccount(context)).id,
    ),
  ],
};
