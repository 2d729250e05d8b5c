import { z } from "zod";
import { createKey, findKey, keyInfo, noKey, revealKey, toKey, toMicroCaps } from "../account/keys.ts";
import type { Context } from "../context.ts";
import { readJson, smallBody } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import type { Route, Surface } from "../route.ts";
import { parse } from "./heads.ts";

const cap = z.number().min(0).max(1_000_000_000);
const caps = z.object({ daily: cap, weekly: cap, monthly: cap, total: cap });
const name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  .regex(/^[^\x00-\x1f\x7f]*$/, "must not hold control characters");

const newKey = z.object({ name, limits: caps.partial().optional() });
const keyChange = z.object({ name: name.optional(), isActive: z.boolean().optional() });
const capsChange = z.object({
  daily: cap.nullish(),
  weekly: cap.nullish(),
  monthly: cap.nullish(),
  total: cap.nullish(),
});

/** How old a session may be that is shown a key again, in milliseconds. */
const RECENT = 15 * 60_000;
const PRIVATE = { "cache-control": "no-store" };

/** The keys of one account, below `path`: of the caller's own, or of the one that the path names. */
export function keyRoutes(
  path: string,
  access: "session" | "operator",
  accountOf: (context: Context) => string | Promise<string>,
): Route[] {
  const refOf = async (context: Context) => ({
    accountId: await accountOf(context),
    id: context.params.keyId ?? "",
  });
  /** After a change nobody is let in by what was known before it. */
  const changed = ({ services }: Context, done: boolean): void => {
    services.access.forget();
    if (!done) throw noKey();
  };
  const routes: Route[] = [
    {
      method: "POST",
      path,
      access,
      summary: "Create an API key; the answer holds the raw key",
      async handler(context) {
        const { value } = await readJson(context.exchange, smallBody);
        const { name, limits } = parse(newKey, value);
        const accountId = await accountOf(context);
        const made = await createKey(context.services, { accountId, name, ...(limits && { caps: limits }) });
        return { status: 201, headers: PRIVATE, body: made };
      },
    },
    {
      method: "GET",
      path,
      access,
      summary: "List the API keys, revoked ones included",
      async handler(context) {
        const keys = await context.services.store.keys.list(await accountOf(context));
        return { body: { results: keys.map(toKey), total: keys.length } };
      },
    },
    {
      method: "GET",
      path: `${path}/:keyId`,
      access,
      summary: "Read one API key",
      handler: async (context) => ({ body: toKey(await findKey(context.services, await refOf(context))) }),
    },
    {
      method: "PATCH",
      path: `${path}/:keyId`,
      access,
      summary: "Rename, disable or enable an API key",
      async handler(context) {
        const { keys } = context.services.store;
        const ref = await refOf(context);
        await findKey(context.services, ref);
        const { value } = await readJson(context.exchange, smallBody);
        const { name, isActive } = parse(keyChange, value);
        if (name !== undefined) changed(context, await keys.rename(ref, name));
        if (isActive !== undefined) changed(context, await (isActive ? keys.enable(ref) : keys.disable(ref)));
        return { body: toKey(await findKey(context.services, ref)) };
      },
    },
    {
      method: "DELETE",
      path: `${path}/:keyId`,
      access,
      summary: "Revoke an API key for good",
      async handler(context) {
        const { services } = context;
        changed(context, await services.store.keys.revoke(await refOf(context), services.now()));
        return { body: toKey(await findKey(services, await refOf(context))) };
      },
    },
    {
      method: "PATCH",
      path: `${path}/:keyId/usage-limit`,
      access,
      summary: "Set or clear the spend caps of an API key, in US dollars; null clears one",
      async handler(context) {
        const { services } = context;
        const ref = await refOf(context);
        await findKey(services, ref);
        const { value } = await readJson(context.exchange, smallBody);
        const change = parse(capsChange, value);
        if (!(await services.store.keys.setCaps(ref, toMicroCaps(change)))) throw noKey();
        const key = await findKey(services, ref);
        return { body: { id: key.id, ...(await keyInfo(services, key)) } };
      },
    },
  ];
  if (access === "session")
    routes.push({
      method: "POST",
      path: `${path}/:keyId/reveal`,
      access,
      summary: "Show an API key again, to someone who signed in a short time ago",
      async handler(context) {
        const { services, caller } = context;
        if (services.now() - (caller.session?.issuedAt ?? 0) > RECENT)
          throw new Refusal(403, "Sign in again: this needs a session younger than 15 minutes.", {
            code: "session_too_old",
          });
        return { headers: PRIVATE, body: await revealKey(services, await refOf(context)) };
      },
    });
  return routes;
}

/** Key management of whoever signed in, where the account settings have it. */
export const keysSurface: Surface = {
  name: "keys",
  prefix: "",
  routes: keyRoutes("/api-keys", "session", ({ caller }) => caller.accountId),
};
