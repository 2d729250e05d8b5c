import { restrictionsField, sendable } from "@manifold-gateway/gateway/admin";
import { couldBeKey } from "@manifold-gateway/store";
import { z } from "zod";
import { usd } from "./media.ts";
import { ownerName } from "./names.ts";

/** Spending limits of a key, in US dollars. */
export const caps = z.strictObject({ daily: usd, weekly: usd, monthly: usd, total: usd }).partial();
export const rawKey = sendable
  .min(32, "must have 32 characters or more; make a new one, such as with `openssl rand -hex 32`")
  .max(512)
  .refine(couldBeKey, {
    error: "looks like a Manifold key, but its checksum is wrong",
  });
const key = z.union([
  rawKey,
  z.strictObject({
    key: rawKey,
    caps: caps.optional(),
    restrictions: restrictionsField.optional().describe("The restrictions; null lifts one."),
  }),
]);

/** An account and its keys. */
export const account = z.strictObject({
  balance: usd.default(0).describe("US dollars credited when the account is created."),
  keys: z.record(ownerName, key).default({}),
});
