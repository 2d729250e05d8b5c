import type { EndValues } from "../money/end.ts";
import type { WrittenValues } from "../usage/generation-columns.ts";
import type { Values } from "./commit.ts";

/** The row of a running generation that was admitted from a lease. */
export const toPending = (values: Values, lease: string): WrittenValues<"begin"> => ({
  ...values,
  ...{ status: "pending", held: 0, lease, leased: values.amount },
});

/** The row of a generation that begins and ends in one commit: no process owns it any more. */
export const toRow = (
  { values, end }: { values: Values; end: EndValues },
  refs: object,
): WrittenValues<"begin"> & WrittenValues<"end"> => ({
  ...values,
  ...end,
  ...refs,
  owner: null,
  lease: null,
  held: 0,
  leased: values.amount,
  route: end.route ?? values.route,
  price: end.price ?? values.price,
});
