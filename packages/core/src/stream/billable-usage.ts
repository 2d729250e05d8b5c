import type { Usage } from "../ir/index.ts";
import type { Observation } from "./observe.ts";

/** A provider's figure that is impossible: 0 although there was something, or above the possible maximum. */
export type ImpossibleFigure = "input" | "output" | "calls";

/** The most tokens that a request can have used. */
export interface MostTokens {
  /** Tokens of the prompt, cached ones included. */
  input: number;
  /** Tokens of the answer, reasoning included. */
  output: number;
}

/** The usage by which a reply is charged. */
export interface BillableUsage {
  /** The provider's figures, or estimates. Absent if the reply never began. */
  usage?: Usage & { estimated?: boolean };
  /** The provider's figures that estimates replace. */
  impossible: readonly ImpossibleFigure[];
}

/** The UTF-16 units of a token in an estimate. */
const TOKEN_UNITS = 4;

/** Checks whether a figure is possible. `some`: 0 is not. */
export const isPossible = (count: number, some: boolean, most: number): boolean =>
  count === 0 ? !some : count <= most;

/** The counts that are parts of each figure. */
const parts = {
  input: ["cacheRead", "cacheWrite", "cacheWriteLong", "audioInput", "imageInput"],
  output: ["reasoning", "audioOutput", "imageOutput"],
  calls: [],
} as const satisfies Record<ImpossibleFigure, readonly (keyof Usage)[]>;

/**
 * The usage by which a reply is charged: the provider's figures. Estimates replace missing figures and those above
 * `most`, and the output of a reply that broke off, whose last figures were of an earlier point. `inputEstimate` is
 * called if the input has to be estimated.
 */
export function billableUsage(
  { usage, finish, content }: Observation,
  most: MostTokens,
  inputEstimate: () => number,
): BillableUsage {
  const seen = Math.ceil(content / TOKEN_UNITS);
  if (!usage) {
    if (content === 0 && !finish) return { impossible: [] };
    return { usage: { input: inputEstimate(), output: seen, estimated: true }, impossible: [] };
  }
  const impossible: ImpossibleFigure[] = [];
  if (!isPossible(usage.input, usage.output > 0 || content > 0, most.input)) impossible.push("input");
  if (!isPossible(usage.output, content > 0, most.output)) impossible.push("output");
  const isCut = !finish && usage.output < seen;
  if (impossible.length === 0 && !isCut) return { usage, impossible };
  const used: Usage & { estimated: boolean } = { ...usage, estimated: true };
  for (const figure of impossible) for (const part of parts[figure]) delete used[part];
  if (impossible.includes("input")) used.input = inputEstimate();
  if (impossible.includes("output") || isCut) used.output = seen;
  return { usage: used, impossible };
}
