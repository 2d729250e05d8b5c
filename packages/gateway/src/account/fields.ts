import { isReservedReference } from "@manifold-gateway/store";
import { z } from "zod";

/** The display name of an account or a key. */
export const nameField = z
  .string()
  .trim()
  .min(1)
  .max(64)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  .regex(/^[^\x00-\x1f\x7f]*$/, "must not contain control characters");

/** False for names that every object inherits, such as `constructor` and `__proto__`. */
export const isUnreserved = (name: string): boolean => !(name in Object.prototype);

const id = z
  .string()
  .regex(/^[\w.:@-]{1,128}$/, "must be 1 to 128 letters, digits and . : @ _ -")
  .refine(isUnreserved, "is a reserved name");

/** The id of a new account. */
export const accountIdField = id.refine(
  (text) => text !== "house" && text !== "revenue",
  "is reserved for the ledger",
);

/** The reference of a credit. It makes the credit idempotent: each reference is used once. */
export const referenceField = id.refine(
  (reference) => !isReservedReference(reference),
  "must not begin with batch:, charge:, correction: or refund:",
);

/** A movement of credit in US dollars: at least a micro-USD, the ledger's unit. */
export const amountField = z.number().min(0.000001).max(1_000_000_000);

/** The name with which an account signs in: 1 to 128 letters, digits and `. : @ _ -`. */
export const loginField = id;
/** A password as a person chooses it: 10 to 256 characters. */
export const passwordField = z.string().min(10).max(256);
