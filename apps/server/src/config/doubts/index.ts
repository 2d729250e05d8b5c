import { misspeltParams } from "@manifold-gateway/core/capability";
import { type Problem, problemAt } from "../problem.ts";
import type { Config } from "../schema.ts";
import { doubtsOfPrices } from "./prices.ts";
import { doubtsOfReferences } from "./references.ts";
import { doubtsOfTimes } from "./times.ts";

/**
 * Settings that can be meant and probably are not: misspelt names of parameters, prices and times in another unit, and
 * names that nothing has. They are reported, and stop nothing. `listed` has the names of models that providers list. Names
 * of accounts are not among the doubts, as the database has further ones: see `unknownAccounts`.
 */
export const doubtsOf = (config: Config, listed: readonly string[] = []): Problem[] => [
  ...doubtsOfCapabilities(config),
  ...doubtsOfPrices(config),
  ...doubtsOfTimes(config),
  ...doubtsOfReferences(config, listed),
];

const doubtsOfCapabilities = ({ models }: Config): Problem[] =>
  Object.entries(models).flatMap(([id, { entries }]) =>
    entries.flatMap(({ capabilities = {} }, i) =>
      misspeltParams(capabilities).map(({ path, meant }) =>
        problemAt(
          ["models", id, "entries", i, "capabilities", ...path],
          `no parameter has this name. Did you mean '${meant}'?`,
        ),
      ),
    ),
  );
