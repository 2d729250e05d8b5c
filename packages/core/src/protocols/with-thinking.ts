import type { Traits } from "../codec/traits.ts";
import type { Params } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { factOf, type ParamName } from "../ir/params.ts";
import type { ThinkingMode, ThinkingSettings } from "./encode-thinking.ts";

/** What a request's tools and messages are on its wire, as far as they do not go with thinking. */
export interface WrittenTurns {
  /** The request forces a call. */
  forced: boolean;
  /** The turns, with the kinds of their blocks in order; text of the system is none. */
  turns: readonly { role: unknown; kinds: readonly BlockKind[] }[];
}
export type BlockKind = "thought" | "call" | "result" | "other";

/** The reason why thinking cannot be combined with the rest of the request. */
export function conflictOf(
  { forced, turns }: WrittenTurns,
  way: ThinkingMode,
  { prefill }: Traits,
): string | undefined {
  if (way === "manual" && forced) return "a budget for thinking does not go with a forced tool choice";
  if (turns.at(-1)?.role === "assistant" && prefill !== false)
    return "thinking does not work with a prefilled reply";
  if (way !== "manual") return undefined;
  const lastUserIndex = turns.findLastIndex(
    ({ role, kinds }) => role === "user" && !kinds.includes("result"),
  );
  // With thinking on, a model refuses an unfinished tool loop whose turns do not begin with thoughts.
  const thoughtless = turns
    .slice(lastUserIndex + 1)
    .some(({ kinds }) => kinds.includes("call") && kinds[0] !== "thought");
  return thoughtless ? "the running tool loop does not hold what the model thought" : undefined;
}

/** The sampling that is accepted with thinking. */
const sampledWithThinking: { [Name in ParamName]?: (value: number) => boolean } = {
  temperature: (value) => value === 1,
  topP: (value) => value >= 0.95,
};

/** The parameters that go with the settings. */
export function paramsWithThinking(
  { thinking }: Pick<ThinkingSettings, "thinking">,
  all: Params,
  lose: Lose,
  { sampling }: Traits,
): Params {
  if (!thinking || thinking.type === "disabled" || sampling === false || sampling === "usual") return all;
  const left = { ...all };
  for (const name of Object.keys(all) as ParamName[]) {
    const value = all[name];
    if (value === undefined || !factOf(name).sampling || sampledWithThinking[name]?.(value as number))
      continue;
    lose(`/params/${name}`, "unsupported", "refused beside thinking");
    delete left[name];
  }
  return left;
}
