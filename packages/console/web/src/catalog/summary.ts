import { usd } from "../format.ts";
import type { Section, Value } from "./calls.ts";
import { routesOf } from "./routes.ts";

const ofModel = (model: Value): string =>
  routesOf(model)
    .map(({ provider, name, price }) => {
      const { input, output } = price ?? {};
      const costs = [
        ...(input === undefined ? [] : [`${usd(input)} in`]),
        ...(output === undefined ? [] : [`${usd(output)} out`]),
      ];
      return `${provider} ${name}${costs.length > 0 ? `, ${costs.join(" and ")} per million` : ""}`;
    })
    .join("; then ");

const ofProvider = ({ preset, origin, key }: Value): string =>
  [preset && `known as ${preset}`, origin, key === undefined ? "no key" : "with a key"]
    .filter(Boolean)
    .join(", ");

/** A member in a line: where it leads and what it costs. */
const SUMMARIES: Record<Section, (value: Value) => string> = {
  models: ofModel,
  providers: ofProvider,
  webhooks: ({ url }) => String(url),
  keyDefaults: (value) => JSON.stringify(value),
};

export const summaryOf = (section: string, value: Value): string =>
  SUMMARIES[section as Section]?.(value) ?? "";
