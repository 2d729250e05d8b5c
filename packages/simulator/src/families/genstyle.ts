import type { Rule } from "../check/rule.ts";
import type { Body } from "../protocols/genstyle/schema.ts";
import { type Family, type FamilyCall, wireRules } from "./family.ts";

/** The rules of one generation, as the vendor's pages on thinking and function calls have them in November 2026. */
interface Generation {
  name: string;
  names: RegExp;
  /** Budgets of thinking that are taken, besides -1: 0, and those from the first to the last. */
  budgets?: { off: boolean; from: number; to: number };
  /** Levels of thinking that are taken. */
  levels?: readonly string[];
  /** JSON and hosted tools in requests with functions, and media in the results of functions. */
  combines: boolean;
  /** The system's instruction. */
  system?: false;
  /** The model does not take penalties, several candidates and log probabilities. */
  bare: boolean;
}

const FLASH = ["MINIMAL", "LOW", "MEDIUM", "HIGH"];
const third = { combines: true, bare: true } as const;
const second = { combines: false, bare: true } as const;

const GENERATIONS: readonly Generation[] = [
  { name: "gemini-2.0", names: /gemini-(1|2\.0)/, combines: false, bare: false },
  {
    name: "gemini-2.5-pro",
    names: /gemini-2\.5-pro/,
    budgets: { off: false, from: 128, to: 32_768 },
    ...second,
  },
  {
    name: "gemini-2.5-flash-lite",
    names: /gemini-2\.5-flash-lite/,
    budgets: { off: true, from: 512, to: 24_576 },
    ...second,
  },
  { name: "gemini-2.5-flash", names: /gemini-2\.5/, budgets: { off: true, from: 0, to: 24_576 }, ...second },
  { name: "gemini-3-pro", names: /gemini-3-pro/, levels: ["LOW", "HIGH"], ...third },
  { name: "gemini-3.1-pro", names: /gemini-3\.\d-pro/, levels: ["LOW", "MEDIUM", "HIGH"], ...third },
  {
    name: "gemini-3.8-flash",
    names: /gemini-(3\.[78]-flash|flash-latest)/,
    levels: ["LOW", "MEDIUM", "HIGH"],
    ...third,
  },
  { name: "gemini-3-flash", names: /gemini-3/, levels: FLASH, ...third },
  { name: "gemma-4", names: /gemma-4/, levels: ["MINIMAL", "HIGH"], combines: true, bare: false },
];

const HOSTED = [
  "googleSearch",
  "googleSearchRetrieval",
  "codeExecution",
  "urlContext",
  "googleMaps",
] as const;

const rulesOf = ({ budgets, levels, combines, bare }: Generation): Rule<Body, FamilyCall>[] => [
  {
    broken: ({ generationConfig }, { model }) => {
      const { thinkingBudget: budget, thinkingLevel: level } = generationConfig?.thinkingConfig ?? {};
      if (!budgets && !levels)
        return (
          generationConfig?.thinkingConfig !== undefined && `Thinking is not enabled for models/${model}`
        );
      if (level !== undefined && !levels) return "Thinking level is not supported for this model.";
      if (level !== undefined && !levels?.includes(level))
        return `Thinking level ${level} is not supported for this model.`;
      if (budget === undefined || budget === -1 || !budgets) return false;
      if (budget === 0 && !budgets.off) return "Budget 0 is invalid. This model only works in thinking mode.";
      const fits = budget === 0 || (budget >= budgets.from && budget <= budgets.to);
      return (
        !fits &&
        `The thinking budget (${budget}) is invalid. Please choose a value between ${budgets.from} and ${budgets.to}.`
      );
    },
    message: "",
  },
  {
    broken: ({ tools = [], generationConfig }) =>
      !combines &&
      generationConfig?.responseMimeType === "application/json" &&
      tools.some(({ functionDeclarations = [] }) => functionDeclarations.length > 0),
    message: "Function calling with a response mime type: 'application/json' is unsupported",
  },
  {
    broken: ({ tools = [] }) =>
      !combines &&
      tools.some(({ functionDeclarations = [] }) => functionDeclarations.length > 0) &&
      tools.some((tool) => HOSTED.some((name) => tool[name] !== undefined)),
    message: "Built-in tools ({google_search}) and Function Calling cannot be combined in the same request.",
  },
  {
    broken: ({ contents }) =>
      !combines &&
      contents.some(({ parts = [] }) => parts.some(({ functionResponse }) => functionResponse?.parts)),
    message: "`function_response.parts` is not supported for this model",
  },
  ...(
    [
      ["Penalty", ({ presencePenalty, frequencyPenalty }) => presencePenalty ?? frequencyPenalty],
      ["Multiple candidates", ({ candidateCount }) => (candidateCount ?? 1) > 1 || undefined],
      ["Logprobs", ({ responseLogprobs }) => responseLogprobs || undefined],
    ] as [string, (config: NonNullable<Body["generationConfig"]>) => unknown][]
  ).map(
    ([what, read]): Rule<Body, FamilyCall> => ({
      broken: ({ generationConfig }, { model }) =>
        bare &&
        generationConfig !== undefined &&
        read(generationConfig) !== undefined &&
        `${what} is not enabled for models/${model}`,
      message: "",
    }),
  ),
];

export const genstyleFamilies: readonly Family[] = GENERATIONS.map((generation) => ({
  name: generation.name,
  names: generation.names,
  wires: {
    genstyle: wireRules<Body>({
      rules: rulesOf(generation),
      thinks: ({ generationConfig }) =>
        (generation.budgets ?? generation.levels) !== undefined &&
        generationConfig?.thinkingConfig?.thinkingBudget !== 0,
    }),
  },
}));
