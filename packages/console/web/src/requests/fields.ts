import type { MODEL_SURFACES } from "@manifold-gateway/store/restrictions";
import { PROTOCOLS } from "../request/words.ts";
import type { NAMES } from "./source.ts";

type Name = (typeof NAMES)[number];
type Options = readonly (readonly [value: string, text: string])[];

/** A filter of requests, as a chip shows it and a panel changes it. */
export interface FilterField {
  name: Name;
  title: string;
  /** The word between the title and the value. */
  verb: "is" | "≥";
  /** Values to choose from; a split of the sums names those that there are. */
  options?: Options;
  split?: "key" | "model" | "entry" | "account" | "provider";
  /** Only operators have it. */
  isForOperator?: true;
  /** Several of them can be chosen. */
  isMany?: true;
  /** What is typed in, where there are no values to choose from. */
  typed?: { placeholder: string; mode?: "decimal" | "numeric" };
  /** How a chip shows a value. */
  show?: (value: string) => string;
}

const same = (values: readonly string[]): Options => values.map((value) => [value, value] as const);
const YES_NO: Options = [
  ["true", "yes"],
  ["false", "no"],
];

/** The surfaces of models, all of which the compiler asks for; the table itself would be loaded with all restrictions. */
const SURFACES: Record<(typeof MODEL_SURFACES)[number], true> = {
  ...{ native: true, chatstyle: true, msgstyle: true, genstyle: true },
};

/** Every filter, in the order in which they are offered. */
export const FIELDS: readonly FilterField[] = [
  { name: "account", title: "Account", verb: "is", split: "account", isForOperator: true },
  { name: "key", title: "Key", verb: "is", split: "key", isMany: true },
  { name: "model", title: "Model", verb: "is", split: "model", isMany: true },
  {
    ...{ name: "status", title: "Status", verb: "is", isMany: true },
    options: same(["succeeded", "failed", "refused", "aborted", "cancelled"]),
  },
  { name: "code", title: "Refused with", verb: "is", typed: { placeholder: "model_not_found" } },
  {
    ...{ name: "minCost", title: "Cost", verb: "≥" },
    typed: { placeholder: "0.01", mode: "decimal" },
    show: (value) => `$${value}`,
  },
  {
    ...{ name: "minDuration", title: "Duration", verb: "≥" },
    typed: { placeholder: "2000, in ms", mode: "numeric" },
    show: (value) => `${value} ms`,
  },
  { name: "losses", title: "Losses", verb: "is", options: YES_NO },
  { name: "translated", title: "Translated", verb: "is", options: YES_NO },
  { name: "tag", title: "Tag", verb: "is", typed: { placeholder: "team:search" } },
  { name: "user", title: "End user", verb: "is", typed: { placeholder: "the id that was sent" } },
  {
    ...{ name: "modality", title: "Kind", verb: "is" },
    options: same(["text", "image", "video", "audio", "ranking", "moderation"]),
  },
  {
    ...{ name: "surface", title: "Surface", verb: "is" },
    options: Object.keys(SURFACES).map((name) => [name, PROTOCOLS[name] ?? name] as const),
  },
  { name: "provider", title: "Provider", verb: "is", split: "provider", isForOperator: true },
  { name: "entry", title: "Route", verb: "is", split: "entry" },
  { name: "requestId", title: "Request id", verb: "is", typed: { placeholder: "x-request-id" } },
  { name: "batch", title: "Batch", verb: "is", typed: { placeholder: "batch_…" } },
];

/** The values of a filter in the address. */
export const valuesOf = (text: string | undefined): string[] =>
  (text ?? "").split(",").filter((value) => value !== "");
