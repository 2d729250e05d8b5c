import type { KeyDefaults } from "@manifold-gateway/gateway";
import { restrictionsField, toRestrictionsChange } from "@manifold-gateway/gateway/admin";
import { z } from "zod";
import { caps } from "./accounts.ts";
import type { Config } from "./schema.ts";

/** The caps and restrictions of new keys. */
export const keyDefaults = z.strictObject({
  caps: caps.optional(),
  restrictions: restrictionsField.optional().describe("The restrictions."),
});

/** The name under which the defaults of all other accounts are. */
const OTHERS = "*";

/**
 * Finds the defaults of an account's new keys. Those of the account itself replace those of all others. `accountOf`
 * returns the id of an account by its name.
 */
export function toKeyDefaults(
  of: Config["keyDefaults"],
  accountOf: (name: string) => string,
): (accountId: string) => KeyDefaults | undefined {
  const byAccount = new Map(
    Object.entries(of).map(([name, { caps, restrictions }]) => [
      name === OTHERS ? OTHERS : accountOf(name),
      {
        ...(caps && { caps }),
        ...(restrictions && { restrictions: toRestrictionsChange(restrictions) }),
      },
    ]),
  );
  return (accountId) => byAccount.get(accountId) ?? byAccount.get(OTHERS);
}
