import type { Generation } from "@manifold-gateway/store";
import { toMovement } from "../account/accounts.ts";
import { missingGeneration } from "../account/missing-generation.ts";
import { toDetail } from "../account/records.ts";
import { quote } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute } from "../route.ts";
import * as shapes from "./shapes/account.ts";

/** The generation that a path names, if it is one of the caller's account. */
async function generationOf({ services, caller, params }: Context<"store">): Promise<Generation> {
  const ref = { id: params.generationId ?? "", accountId: caller.accountId };
  const found = await services.store.generations.get(ref);
  if (!found)
    throw await missingGeneration(services.store, ref.id, `The account has no generation ${quote(ref.id)}.`);
  return found;
}

/** Routes that show one generation in full: its route, its price line by line, and its entries in the ledger. */
export const generationRoutes = [
  defineRoute({
    method: "GET",
    path: "/usage/:generationId",
    access: "caller",
    summary: "Get a generation record with its price, its route and its movements of credit",
    answer: shapes.generationDetail,
    examples: { one: { params: { generationId: "generation" } } },
    uses: ["store"],
    async handler(context) {
      const found = await generationOf(context);
      const movements = await context.services.store.ledger.of(found);
      return { body: { ...toDetail(found), movements: movements.map(toMovement) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/usage/:generationId/movements",
    access: "caller",
    summary: "List the movements of credit of a generation, each with the balance after it",
    about:
      "Oldest first. Generations that ended together are charged by one movement without a `generationId`: its amount and its balance are theirs together, and they have no order among themselves.",
    answer: shapes.movements,
    examples: { one: { params: { generationId: "generation" } } },
    uses: ["store"],
    async handler(context) {
      const movements = await context.services.store.ledger.withBalances(await generationOf(context));
      return { body: { results: movements.map(toMovement) } };
    },
  }),
];
