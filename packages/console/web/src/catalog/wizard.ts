import type { Answer } from "../api/client.ts";
import type { Change, Member, Value } from "./calls.ts";
import { type Route, routesOf } from "./routes.ts";

export type Test = Answer<"/api/admin/providers/test", "post">;
export type Proposed = Test["models"][number];

/** A model that was chosen, as it is typed. */
export interface Choice {
  /** The name for callers. */
  id: string;
  /** US dollars by unit; nothing typed means that the price is not known. */
  prices: Record<string, string>;
}

const entryOf = ({ value }: Proposed): Route => routesOf(value)[0] as Route;
export const makesOf = ({ value }: Proposed): string[] => (value.output ?? ["text"]) as string[];
export const takesOf = ({ value }: Proposed): string[] => (value.input ?? ["text"]) as string[];

/** The units by which a model has to have a price. Media models that are known have prices of their own. */
export const unitsOf = (model: Proposed): string[] => {
  if (model.isPriced && entryOf(model).price === undefined) return [];
  return makesOf(model).includes("embedding") ? ["input"] : ["input", "output"];
};

/** The tokens that a model takes at most. */
export const windowOf = (model: Proposed): number | undefined =>
  (entryOf(model) as { capabilities?: { text?: { contextWindow?: number } } }).capabilities?.text
    ?.contextWindow;

/** A model as it is chosen first: by its own name, unless that is taken by one that cannot be changed here. */
export function choiceOf(model: Proposed, provider: string): Choice {
  const price = entryOf(model).price ?? {};
  const isTaken = model.declared === "file" || model.declared === "service";
  return {
    id: isTaken ? `${provider}/${model.name}` : model.name,
    prices: Object.fromEntries(unitsOf(model).map((unit) => [unit, price[unit]?.toString() ?? ""])),
  };
}

/** The prices of a chosen model that are missing or no numbers, by unit. */
export const missingOf = ({ prices }: Choice): string[] =>
  Object.entries(prices).flatMap(([unit, text]) => (text.trim() !== "" && Number(text) >= 0 ? [] : [unit]));

/** What is declared for a chosen model: a model of its own, or a further route of one that is declared here. */
export function changeOf(model: Proposed, choice: Choice, members: readonly Member[]): Change {
  const { prices } = choice;
  const id = choice.id.trim();
  const typed = Object.fromEntries(Object.entries(prices).map(([unit, text]) => [unit, Number(text)]));
  const { price, ...entry } = entryOf(model);
  const priced = Object.keys(prices).length === 0 ? entry : { ...entry, price: { ...price, ...typed } };
  const other = members.find((one) => one.section === "models" && one.name === id);
  if (other?.source !== "database")
    return { section: "models", name: id, value: { ...model.value, entries: [priced] } as Value };
  const routes = routesOf(other.value);
  const kept = routes.filter((one) => one.provider !== entry.provider || one.name !== entry.name);
  return {
    section: "models",
    name: id,
    value: { ...other.value, entries: [...kept, priced] } as Value,
    ...(other.revision !== undefined && { revision: other.revision }),
  };
}

/** What a provider at an address is called: `groq` at `https://api.groq.com`. */
export function nameOfAddress(address: string): string {
  if (!URL.canParse(address)) return "";
  const { hostname } = new URL(address);
  return /^[\d.:[\]]+$/.test(hostname) ? "server" : (hostname.split(".").at(-2) ?? hostname);
}

/** A name for a provider that none has yet. */
export function freeName(wanted: string, members: readonly Member[]): string {
  const taken = new Set(members.flatMap(({ section, name }) => (section === "providers" ? [name] : [])));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
  return name;
}
