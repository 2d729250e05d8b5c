import { toMicro, toUsd } from "@manifold-gateway/store";
import { z } from "zod";
import { toAccount } from "../account/accounts.ts";
import { byOf, note } from "../account/audit.ts";
import { amountField } from "../account/fields.ts";
import { refundCharge } from "../account/refund.ts";
import { defineRoute } from "../route.ts";
import { findAccount } from "./operator.ts";
import * as shapes from "./shapes/account.ts";

const body = z.strictObject({
  generationId: z.string().min(1).max(128),
  amount: amountField.optional().describe("US dollars. Default: the whole charge."),
});

/** Refunds a charge. */
export const refundRoute = defineRoute({
  method: "POST",
  path: "/accounts/:accountId/refunds",
  access: "operator",
  summary: "Refund a generation, once",
  about: "`201` if it is refunded now, `200` if it was before. A refund does not count towards spend caps.",
  body,
  statuses: [201, 200],
  answer: shapes.refunded,
  examples: {
    "a part": { params: { accountId: "acc" }, body: { generationId: "generation", amount: 0.01 } },
  },
  uses: ["addressOf", "log", "now", "store"],
  async handler(context, { body: { generationId, amount } }) {
    const { services } = context;
    const { id } = await findAccount(context);
    const { isNew, ...given } = await refundCharge(services.store, {
      accountId: id,
      generationId,
      amount: amount === undefined ? undefined : toMicro(amount),
      by: byOf(context),
    });
    if (isNew) note(context, "charge_refunded", { account: id });
    return {
      status: isNew ? 201 : 200,
      body: {
        ...toAccount(await findAccount(context)),
        generationId,
        amount: toUsd(given.amount),
        refunded: isNew,
      },
    };
  },
});
