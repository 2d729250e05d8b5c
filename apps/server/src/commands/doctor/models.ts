import { isForSale } from "@manifold-gateway/gateway";
import { toModels } from "../../config/build.ts";
import { type Check, ok, warn } from "./check.ts";

/** Lists the models that can be called, and those that cannot because they have no price. */
export const models: Check = ({ config }) => {
  const all = toModels(config);
  if (all.length === 0)
    return [ok("models", "the configuration has none; those that providers list are served")];
  const unpriced = all
    .filter(({ isActive }) => isActive)
    .flatMap((model) =>
      model.entries
        .filter((entry) => entry.isActive && !isForSale(entry, model))
        .map(({ provider }) => `${model.id} at ${provider}`),
    );
  if (unpriced.length === 0) return [ok("models", `${all.length}, each with a price`)];
  return [
    warn(
      "models",
      `without a price for what they make, and therefore not sold: ${unpriced.join(", ")}`,
      "give each a 'price' ('{}' is free); 'manifold catalog diff' shows those of public lists",
    ),
  ];
};
