import { show } from "../../capability/message-text.ts";
import { toCount } from "../../ir/usage.ts";
import {
  booleanOf,
  compact,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
} from "../../json/json.ts";
import type { ModerationReply, ModerationRequest, ModerationResult } from "./ir.ts";

/** The members of a record that have a value of some kind. Models write `null` for categories that they lack. */
const valuesOf = <Value>(record: Json | undefined, read: (value: Json) => Value | undefined) =>
  Object.fromEntries(
    Object.entries(toObject(record)).flatMap(([name, value]) => {
      const found = read(value);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );

const wordsOf = (value: Json): string[] | undefined =>
  Array.isArray(value) ? value.filter((word) => typeof word === "string") : undefined;

/** A verdict; undefined where there is none to read. */
function readResult(value: Json): ModerationResult | undefined {
  const { flagged, categories, category_scores, category_applied_input_types } = toObject(value);
  const judged = valuesOf(categories, booleanOf);
  const stated = booleanOf(flagged);
  if (stated === undefined && Object.keys(judged).length === 0) return undefined;
  return {
    // Some vendors only list the categories.
    flagged: stated ?? Object.values(judged).includes(true),
    categories: judged,
    scores: valuesOf(category_scores, numberOf),
    ...(isObject(category_applied_input_types) && {
      inputTypes: valuesOf(category_applied_input_types, wordsOf),
    }),
  };
}

export function decode(body: Json): ModerationReply {
  const { results, usage, id, model } = toObject(body);
  const { prompt_tokens, total_tokens } = toObject(usage);
  const input = toCount(prompt_tokens ?? total_tokens);
  return compact<ModerationReply>({
    results: toArray(results).map(readResult),
    ...(input !== undefined && { usage: { input } }),
    id: textOf(id),
    model: textOf(model),
  });
}

const writeResult = (result: ModerationResult): JsonObject => ({
  flagged: result.flagged,
  categories: { ...result.categories },
  category_scores: { ...result.scores },
  ...(result.inputTypes && {
    category_applied_input_types: Object.fromEntries(
      Object.entries(result.inputTypes).map(([name, kinds]) => [name, [...kinds]]),
    ),
  }),
});

export const encode = (reply: ModerationReply, request: ModerationRequest): JsonObject => ({
  ...(reply.id !== undefined && { id: reply.id }),
  model: request.model,
  results: reply.results.flatMap((result) => (result ? [writeResult(result)] : [])),
  ...(reply.usage && { usage: { prompt_tokens: reply.usage.input, total_tokens: reply.usage.input } }),
});

/** What keeps a reply from judging every input of its request, in words for its caller. */
export function shortfallOf(request: ModerationRequest, { results }: ModerationReply): string | undefined {
  const [read, wanted] = [results.filter((result) => result !== undefined).length, request.inputs.length];
  if (read === wanted && results.length === wanted) return undefined;
  return `The provider returned ${read} verdicts for ${wanted} inputs of the model ${show(request.model)}.`;
}
