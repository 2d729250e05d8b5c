import type { KeyRef } from "@manifold-gateway/store";
import { z } from "zod";
import { restrictionsField, toRestrictionsChange } from "../access/restriction-fields.ts";
import { byOf, note } from "../account/audit.ts";
import { nameField } from "../account/fields.ts";
import {
  capsOf,
  createKey,
  findKey,
  keyInfo,
  noKey,
  revealKey,
  toDefaults,
  toKey,
  toMicroCaps,
} from "../account/keys.ts";
import { Refusal } from "../http/refusal.ts";
import type { RequestContext } from "../ports/context.ts";
import { type ContextOf, defineRoute, type Route, type Surface } from "../route.ts";
import * as shapes from "./shapes/account.ts";

const cap = z.number().min(0).max(1_000_000_000).nullish();
/** Strict, because a cap with a misspelt name would have no effect. */
const caps = z.strictObject({ daily: cap, weekly: cap, monthly: cap, total: cap });
const restrictions = restrictionsField.optional();
/** Strict for the same reason. `caps` is the configuration's name for `limits`. */
const newKey = z
  .strictObject({ name: nameField, limits: caps.optional(), caps: caps.optional(), restrictions })
  .refine(({ limits, caps }) => !limits || !caps, {
    message: "is another name of 'limits': send one of them.",
    path: ["caps"],
  });
const keyChange = z.strictObject({
  name: nameField.optional(),
  isActive: z.boolean().optional(),
  restrictions,
});

/** The greatest age of a session that may reveal a key, in milliseconds. */
const RECENT = 15 * 60_000;

/** Routes for the keys of one account, below `path`: the caller's, or the account that the path names. */
export function keyRoutes<Access extends "session" | "operator">(
  path: string,
  access: Access,
  accountOf: (context: ContextOf<Access, "store">) => string | Promise<string>,
): Route[] {
  const refOf = async (context: ContextOf<Access, "store">) => ({
    accountId: await accountOf(context),
    id: context.params.keyId ?? "",
  });
  /** Drops cached credentials, so that no later request is admitted by the old state. */
  const changed = (
    context: RequestContext<"access" | "addressOf" | "log" | "now">,
    { accountId, id }: KeyRef,
    event: string,
    done: boolean,
  ): void => {
    context.services.access.forget();
    if (!done) throw noKey();
    note(context, event, { account: accountId, key: id });
  };
  const accountParams: Record<string, string> = access === "operator" ? { accountId: "acc" } : {};
  const one = { ...accountParams, keyId: "key" };
  return [
    defineRoute({
      method: "POST",
      path,
      access,
      summary: "Create an API key; the response contains the raw key",
      about:
        "Caps and restrictions that the request does not name are the defaults of the account, if the service has any; null leaves one out.",
      body: newKey,
      statuses: [201],
      answer: shapes.newKey,
      examples: {
        capped: { params: accountParams, body: { name: "laptop", limits: { monthly: 50 } } },
        restricted: {
          params: accountParams,
          body: { name: "ci", restrictions: { requestsPerMinute: 60, models: ["sim-*"] } },
        },
      },
      uses: ["addressOf", "id", "keyDefaults", "keyVault", "limits", "log", "now", "store"],
      async handler(context, { body: { name, caps, limits = caps, restrictions } }) {
        const accountId = await accountOf(context);
        const by = byOf(context);
        const made = await createKey(context.services, {
          accountId,
          name,
          by,
          ...(limits && { caps: limits }),
          ...(restrictions && { restrictions: toRestrictionsChange(restrictions) }),
        });
        note(context, "key_created", { account: accountId, key: String(made.id) });
        return { body: made };
      },
    }),
    defineRoute({
      method: "GET",
      path,
      access,
      summary: "List the API keys, revoked ones included",
      query: z.object({ with: z.enum(["spend"]).optional() }),
      answer: shapes.keyList,
      examples: {
        all: { params: accountParams },
        "with what they spent": { params: accountParams, query: { with: "spend" } },
      },
      uses: ["keyDefaults", "now", "store"],
      async handler(context, { query }) {
        const { services } = context;
        const accountId = await accountOf(context);
        const keys = await services.store.keys.list(accountId);
        const uses = await services.store.keyUses.of(keys.map(({ id }) => id));
        const caps = query.with && (await Promise.all(keys.map(({ id }) => capsOf(services, id))));
        const results = keys.map((key, at) => ({
          ...toKey(key, uses.get(key.id)),
          ...(caps && { caps: caps[at] ?? {} }),
        }));
        const defaults = services.keyDefaults(accountId);
        return { body: { results, total: keys.length, ...(defaults && { defaults: toDefaults(defaults) }) } };
      },
    }),
    defineRoute({
      method: "GET",
      path: `${path}/:keyId`,
      access,
      summary: "Get an API key",
      answer: shapes.key,
      examples: { one: { params: one } },
      uses: ["store"],
      async handler(context) {
        const { services } = context;
        const key = await findKey(services, await refOf(context));
        return { body: toKey(key, (await services.store.keyUses.of([key.id])).get(key.id)) };
      },
    }),
    defineRoute({
      method: "PATCH",
      path: `${path}/:keyId`,
      access,
      summary: "Rename, disable, enable or restrict an API key; null lifts a restriction",
      body: keyChange,
      answer: shapes.key,
      examples: {
        rename: { params: one, body: { name: "desk" } },
        disable: { params: one, body: { isActive: false } },
        restrict: { params: one, body: { restrictions: { concurrentRequests: 8, expiresAt: null } } },
      },
      uses: ["access", "addressOf", "log", "now", "store"],
      async handler(context, { body: { name, isActive, restrictions } }) {
        const { services } = context;
        const ref = await refOf(context);
        await findKey(services, ref);
        const change = {
          ...(name !== undefined && { name }),
          ...(isActive !== undefined && { isActive }),
          ...(restrictions && { restrictions: toRestrictionsChange(restrictions) }),
        };
        if (Object.keys(change).length > 0)
          changed(context, ref, "key_changed", await services.store.keys.change(ref, change, byOf(context)));
        return { body: toKey(await findKey(services, ref)) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/:keyId`,
      access,
      summary: "Revoke an API key for good",
      answer: shapes.key,
      examples: { one: { params: one } },
      uses: ["access", "addressOf", "log", "now", "store"],
      async handler(context) {
        const { services } = context;
        const ref = await refOf(context);
        const by = byOf(context);
        changed(context, ref, "key_revoked", await services.store.keys.revoke(ref, by.at, by));
        return { body: toKey(await findKey(services, ref)) };
      },
    }),
    defineRoute({
      method: "PATCH",
      path: `${path}/:keyId/usage-limit`,
      access,
      summary: "Set or clear the spend caps of an API key, in US dollars; null clears one",
      body: caps,
      answer: shapes.capsOfKey,
      examples: { "set and clear": { params: one, body: { daily: 5, total: null } } },
      uses: ["access", "addressOf", "log", "now", "store"],
      async handler(context, { body }) {
        const { services } = context;
        const ref = await refOf(context);
        await findKey(services, ref);
        const done = await services.store.keys.change(ref, { caps: toMicroCaps(body) }, byOf(context));
        changed(context, ref, "key_changed", done);
        const key = await findKey(services, ref);
        return { body: { id: key.id, ...(await keyInfo(services, key)) } };
      },
    }),
  ];
}

const revealRoute = defineRoute({
  method: "POST",
  path: "/api-keys/:keyId/reveal",
  access: "session",
  summary: "Reveal an API key to a session that signed in recently",
  about: "Needs a session younger than 15 minutes, and `keyEncryptionSecrets` of the service.",
  answer: shapes.revealedKey,
  examples: { one: { params: { keyId: "key" } } },
  uses: ["addressOf", "keyVault", "log", "now", "store"],
  async handler(context) {
    const { services, caller, params } = context;
    if (services.now() - (caller.session?.issuedAt ?? 0) > RECENT)
      throw new Refusal("session_too_old", "Sign in again: this needs a session younger than 15 minutes.");
    return { body: await revealKey(context, { accountId: caller.accountId, id: params.keyId ?? "" }) };
  },
});

/** Routes by which signed-in accounts manage their keys. */
export const sessionKeyRoutes: readonly Route[] = [
  ...keyRoutes("/api-keys", "session", ({ caller }) => caller.accountId),
  revealRoute,
];

/** The same routes without a prefix. */
export const keysSurface: Surface = {
  name: "keys",
  about: "The API keys of the session's account.",
  prefix: "",
  routes: sessionKeyRoutes,
};
