import { type ParamKinds, type ParamName, type Params, paramFacts } from "@manifold-gateway/core/ir";
import { type Param, paramsOf, type Schema } from "./schema-form.ts";

/** Parameters in the words of the field, those that are set most first. */
const TITLES: { [Name in ParamName]?: string } = {
  maxTokens: "Max output tokens",
  temperature: "Temperature",
  topP: "Top-p",
  stop: "Stop sequences",
  seed: "Seed",
  topK: "Top-k",
  minP: "Min-p",
  topA: "Top-a",
  frequencyPenalty: "Frequency penalty",
  presencePenalty: "Presence penalty",
  repetitionPenalty: "Repetition penalty",
  candidates: "Alternatives",
  logprobs: "Log probabilities",
  topLogprobs: "Likeliest tokens",
  logitBias: "Logit bias",
  verbosity: "Verbosity",
  serviceTier: "Service tier",
  user: "User",
  safetyId: "Safety identifier",
  cacheKey: "Cache key",
  store: "Store the answer",
  labels: "Labels",
};
const MEMBERS: Record<string, string> = { format: "answer format", toolChoice: "tool choice" };

/** What a member of a request is called in a sentence. */
export const titleOfParam = (name: string): string =>
  (isParamName(name) ? TITLES[name]?.toLowerCase() : MEMBERS[name]) ?? name;

/** How many of them are always shown. */
export const COMMON = 5;

type Kind = keyof ParamKinds;
const KINDS: Record<Kind, Pick<Param, "kind" | "isNumeric">> = {
  number: { kind: "number", isNumeric: true },
  boolean: { kind: "flag", isNumeric: false },
  text: { kind: "text", isNumeric: false },
  texts: { kind: "texts", isNumeric: false },
  weights: { kind: "json", isNumeric: false },
  labels: { kind: "json", isNumeric: false },
};
const WHOLE: ReadonlySet<string> = new Set(["maxTokens", "seed", "topK", "candidates", "topLogprobs"]);

const isParamName = (name: string): name is ParamName => Object.hasOwn(paramFacts, name);

/** The parameters of a text request as a form has them, with the bounds of a model's schema. */
export function textParams(schema: Schema): (Param & { name: ParamName })[] {
  const bounds = new Map(paramsOf(schema).map((param) => [param.name, param]));
  return Object.keys(TITLES)
    .filter(isParamName)
    .map((name) => {
      const title = TITLES[name] ?? name;
      const bare = { name, title, values: [], isWhole: WHOLE.has(name), ...KINDS[paramFacts[name].kind] };
      const bound = bounds.get(name);
      return bound ? { ...bare, ...bound, name, title } : bare;
    });
}

/** A line of a list: a backslash stands before an `n` that is a line break, and before itself. */
const escapeLine = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const unescapeLine = (line: string): string =>
  line.replace(/\\([\\n])/g, (_, character: string) => (character === "n" ? "\n" : character));

/** A parameter's value as the text of its field. */
export function paramText(params: Params, name: ParamName): string {
  const value = params[name];
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map(String).map(escapeLine).join("\n");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The value that the text of a field is; `undefined` where nothing is said. Throws where it is none. */
export function paramValue(name: ParamName, text: string): Params[ParamName] | undefined {
  if (text === "") return undefined;
  switch (paramFacts[name].kind) {
    case "number":
      return Number(text);
    case "boolean":
      return text === "true";
    case "text":
      return text;
    case "texts":
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map(unescapeLine);
    case "weights":
    case "labels":
      return readObject(text);
  }
}

function readObject(text: string): Record<string, string> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error('This is an object, such as {"name": "value"}.');
  return value as Record<string, string>;
}
