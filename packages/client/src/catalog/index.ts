import type { TokenPrice } from "./cost.ts";
import type { ListedNames } from "./listed-names.ts";
import rows from "./models.json" with { type: "json" };

export { costOf, type TokenPrice, type TokenUnit } from "./cost.ts";

/** The columns of a row behind the context window and the most output tokens. */
const units = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "cacheWriteLong",
  "audioInput",
  "audioOutput",
  "imageInput",
  "imageOutput",
  "searchUnits",
  "seconds",
  "characters",
] as const;

/** What a model answers with. */
export type ModelKind =
  | "text"
  | "embedding"
  | "image"
  | "ranking"
  | "moderation"
  | "speech"
  | "transcription";

/**
 * A model of the table, as `provider/name`: `"anthropic/claude-opus-4-7"`. The name is the provider's own, and may have
 * slashes: `"openrouter/openai/gpt-6-sol"`.
 */
export type ListedModel<Kind extends ModelKind = ModelKind> = ListedNames[Kind];

/**
 * The name of a model, which editors complete from the table; any other name is allowed, since providers have more
 * models than lists know.
 */
export type ModelName<Kind extends ModelKind = ModelKind> = ListedModel<Kind> | (string & {});

/** What is publicly known of a model. */
export interface ModelFacts {
  /** What it answers with. */
  kind: ModelKind;
  /** The most tokens of a prompt and its answer. */
  contextWindow?: number;
  /** The most tokens of an answer. */
  maxOutputTokens?: number;
  /**
   * US dollars for a million tokens or characters, of `searchUnits` and `seconds` for one. A part without a price, such
   * as `cacheRead`, costs as much as its whole; a model without any is free.
   */
  price: TokenPrice;
  /** Long prompts cost more than `price`, which is that of short ones. */
  tiered?: true;
}

/** The day whose prices the table has: `"2026-11-25"`. */
export const pricesAsOf: string = rows.asOf;

/**
 * Models of known providers, with window and price, offline.
 *
 * ```ts
 * models["openai/gpt-6-sol"].contextWindow; // tokens
 * models["anthropic/claude-opus-4-7"].price.output; // US dollars for a million tokens
 * ```
 */
export const models: Readonly<Record<ListedModel, ModelFacts>> = /* @__PURE__ */ readRows();

/** Dates and aliases behind the name of a model: `-20250929`, `-2026-03-05`, `@20250929`, `-latest`. */
const SNAPSHOT = /(?:[-@](?:20\d{6}|20\d\d-\d\d-\d\d)|-latest)$/;

/**
 * What is known of a model by its name, or by the name that it is a snapshot of. Undefined if the table does not have
 * it: prices are never guessed.
 *
 * ```ts
 * modelOf("openai/gpt-5.4-2026-03-05")?.price.input;
 * ```
 */
export function modelOf(name: ModelName): ModelFacts | undefined {
  const listed: Readonly<Record<string, ModelFacts>> = models;
  return [name, name.replace(SNAPSHOT, "")].flatMap((one) =>
    Object.hasOwn(listed, one) ? [listed[one] as ModelFacts] : [],
  )[0];
}

function readRows(): Record<ListedModel, ModelFacts> {
  const tiered = new Set<string>(rows.tiered);
  const kinds: ModelKind[] = [
    "text",
    "embedding",
    "image",
    "ranking",
    "moderation",
    "speech",
    "transcription",
  ];
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      Object.entries(rows[kind] as Record<string, (number | null)[]>).map(([name, row]) => [
        name,
        toFacts(kind, row, tiered.has(name)),
      ]),
    ),
  ) as Record<ListedModel, ModelFacts>;
}

function toFacts(kind: ModelKind, [window, most, ...prices]: (number | null)[], tiered: boolean): ModelFacts {
  const price = Object.fromEntries(
    units.flatMap((unit, column) => (typeof prices[column] === "number" ? [[unit, prices[column]]] : [])),
  );
  return {
    kind,
    ...(window && { contextWindow: window }),
    ...(most && { maxOutputTokens: most }),
    price,
    ...(tiered && { tiered }),
  };
}
