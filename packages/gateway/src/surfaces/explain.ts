import type { JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";
import { findKey } from "../account/keys.ts";
import { pricingOf } from "../catalog/model-listing.ts";
import { bodyLimits } from "../http/body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { explanation } from "../openapi/explanation.ts";
import type { Caller } from "../ports/access.ts";
import type { KeyLimits } from "../ports/bounds.ts";
import type { OperatorContext } from "../ports/context.ts";
import type { Services } from "../ports/services.ts";
import { defineRoute } from "../route.ts";
import { allEntries, type CatalogEntry, toEntryState } from "../routing/entry-state.ts";
import { type Suppositions, supposing, suppositions } from "../routing/supposed-health.ts";
import { entryState } from "./shapes/operating.ts";

const explainRequest = z.strictObject({
  accountId: z.string().min(1).max(128).describe("The account of the request."),
  keyId: z.string().min(1).max(128).optional().describe("A key of the account. Default: none."),
  path: z
    .string()
    .min(1)
    .max(512)
    .regex(/^\/[!-~]*$/, "must be the path of a request, such as /api/v1/text/completions")
    .describe("The path of a route that supports `x-explain`."),
  body: z.looseObject({}),
  suppose: suppositions
    .default({})
    .describe("Assumed health of entries by id, in place of what the process knows."),
});

/** Lets an explanation pass without counting against the key's limits. */
const unlimited: KeyLimits = { enter: () => ({ reserve: () => undefined, end: () => undefined }) };

const POINT = "http://explained";

/** The caller that the operator chose. */
async function callerOf(
  context: OperatorContext<"store">,
  accountId: string,
  keyId?: string,
): Promise<Caller> {
  const { services } = context;
  const account = await services.store.accounts.get(accountId);
  if (!account)
    throw new Refusal("account_not_found", `There is no account ${quote(accountId)}.`, {
      param: "accountId",
    });
  if (keyId === undefined) return { accountId };
  const { id, name, restrictions } = await findKey(services, { accountId, id: keyId });
  return { accountId, keyId: id, keyName: name, ...(restrictions && { restrictions }) };
}

/**
 * The services that an explanation replaces: it has the chosen caller, the supposed health, no limits and no observer.
 */
function exchanged(
  { services, operator }: OperatorContext<"routing">,
  caller: Caller,
  suppose: Suppositions,
): Partial<Services> {
  const { routing } = services;
  return {
    access: { byKey: () => caller, byToken: () => undefined, operatorOf: () => operator, forget() {} },
    routing: { ...routing, breakers: supposing(routing.breakers, suppose) },
    keyLimits: unlimited,
    observer: undefined,
  };
}

/** An entry with its price, and with its health for the account, possibly supposed. */
function described(
  { routing }: Pick<Services, "routing">,
  suppose: Suppositions,
  accountId: string,
  catalogEntry: CatalogEntry,
): JsonObject {
  const health = supposing(routing.breakers, suppose).of(catalogEntry.id, accountId);
  const pricing = pricingOf(catalogEntry.entry);
  return {
    ...toEntryState(catalogEntry, health),
    provider: catalogEntry.entry.provider,
    ...(pricing && { pricing }),
  };
}

/** Lets operators see what would happen to a request. */
export const explainingRoute = defineRoute({
  method: "POST",
  path: "/explain",
  access: "operator",
  summary: "Explain a request of an account",
  about:
    "Like `x-explain` on the request itself, for any account: nothing is called, held, stored or charged. `suppose` replaces the known health of entries.",
  body: explainRequest,
  limits: bodyLimits,
  answer: explanation.extend({
    entries: z
      .array(
        entryState.extend({
          provider: z.string(),
          pricing: z.looseObject({}).optional().describe("As in the list of models."),
        }),
      )
      .describe("All entries of the model, in their state for the account."),
  }),
  examples: {
    "one entry down": {
      body: {
        accountId: "acc",
        path: "/api/v1/text/completions",
        body: { model: "sim-chat", messages: [{ role: "user", content: "Say hello." }] },
        suppose: { e3634cb84d2: { circuit: "open" } },
      },
    },
  },
  uses: ["explain", "routing", "store", "wholeCatalog"],
  async handler(context, { body: { accountId, keyId, path, body, suppose } }) {
    const { services } = context;
    const all = allEntries(services);
    const strange = Object.keys(suppose).find((id) => !all.some((catalogEntry) => catalogEntry.id === id));
    if (strange !== undefined)
      throw new Refusal("entry_not_found", `suppose: no model has an entry ${quote(strange)}.`, {
        param: `suppose.${strange}`,
      });
    const caller = await callerOf(context, accountId, keyId);
    const request = new Request(new URL(path, POINT), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-request-id": context.id,
        "x-api-key": "explained",
        "x-admin-key": "explained",
        "x-explain": "true",
      },
      body: JSON.stringify(body),
    });
    const response = await services.explain(request, exchanged(context, caller, suppose));
    const answer = (await response.json()) as JsonObject;
    if (!response.ok) return { status: response.status, body: answer };
    const ofModel = all.filter(({ model }) => model.id === answer.model);
    const entries = ofModel.map((catalogEntry) => described(services, suppose, accountId, catalogEntry));
    return { body: { ...answer, entries } };
  },
});
