import type { Column } from "../engine/bulk-statements.ts";
import type { EndValues } from "../money/end.ts";
import type { Values } from "./commit.ts";

const text = (...members: string[]): Column[] => members.map((name) => [name, name, "TEXT"]);

/** The columns of a running generation. */
export const BEGUN: readonly Column[] = [
  ...text("id", "modality", "model", "status", "route", "price"),
  ...text("daily", "weekly", "monthly", "owner", "lease"),
  ["account_id", "account", "TEXT"],
  ["key_id", "key", "TEXT"],
  ["tags", "tags", "TEXT"],
  ["end_user", "user", "TEXT"],
  ["surface", "surface", "TEXT"],
  ["created_at", "at", "BIGINT"],
  ["dispatched_at", "dispatched", "BIGINT"],
  ["held", "held", "BIGINT"],
  ["leased", "leased", "BIGINT"],
];

/** The further columns of a generation that begins and ends in one commit. */
export const ENDED: readonly Column[] = [
  ...text("usage", "batch"),
  ["cost", "cost", "BIGINT"],
  ["duration_ms", "duration", "BIGINT"],
];

/** The columns that the end of a pending generation writes. */
export const ENDING: readonly Column[] = [...text("id", "status", "route", "price", "lease"), ...ENDED];

/** The row of a running generation that was admitted from a lease. */
export const toPending = (values: Values, lease: string) => ({
  ...values,
  ...{ status: "pending", held: 0, lease, leased: values.amount },
});

/** The row of a generation that begins and ends in one commit: no process owns it any more. */
export const toRow = ({ values, end }: { values: Values; end: EndValues }, refs: object) => ({
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
