import { toModels } from "../../config/build.ts";
import { type Check, ok, warn } from "./check.ts";

/** Lists the models that can be called, and those that cannot because they have no price. */
export const models: Check = ({ config }) => {
  const all = toModels(config);
  if (all.length === 0)
    return [ok("models", "the configuration has none; those that providers list are served")];
  const unpriced = all
    .filter(({ isActive }) => isActive)
    .flatMap(({ id, entries }) =>
      entries
        .filter(({ isActive, price, tiers = [] }) => isActive && !price && tiers.length === 0)
        .map(({ provider }) => `${id} at ${provider}`),
    );
  if (unpriced.length === 0) return [ok("models", `${all.length}, each with a price`)];
  return [
    warn(
      "models",
      `without a price, and therefore not sold: ${unpriced.join(", ")}`,
      "give each a 'price' ('{}' is free); 'manifold catalog diff' shows those of public lists",
    ),
  ];
};
