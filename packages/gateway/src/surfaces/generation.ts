import { toMovement } from "../account/accounts.ts";
import { toDetail } from "../account/records.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { defineRoute } from "../route.ts";
import * as shapes from "./shapes/account.ts";

/** Shows one generation in full: its route, its price line by line, and its ledger entries. */
export const generationRoute = defineRoute({
  method: "GET",
  path: "/usage/:generationId",
  access: "caller",
  summary: "Get a generation record with its price, its route and its movements of credit",
  answer: shapes.generationDetail,
  examples: { one: { params: { generationId: "generation" } } },
  uses: ["store"],
  async handler({ services, caller, params }) {
    const ref = { id: params.generationId ?? "", accountId: caller.accountId };
    const found = await services.store.generations.get(ref);
    if (!found) throw new Refusal("generation_not_found", `The account has no generation ${quote(ref.id)}.`);
    const movements = await services.store.ledger.of(ref);
    return { body: { ...toDetail(found), movements: movements.map(toMovement) } };
  },
});
