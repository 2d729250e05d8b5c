import type { Traits } from "../../codec/traits.ts";
import { writeEffort } from "../../family/effort.ts";
import type { Effort, Params, ReasoningAsk, TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, toArray, toObject } from "../../json/json.ts";
import { decodeThinking } from "../decode-thinking.ts";
import { encodeThinking } from "../encode-thinking.ts";
import { type BlockKind, paramsWithThinking, type WrittenTurns } from "../with-thinking.ts";

/** Members of single models that say how much to think. */
interface ThinkingField {
  /** The settings in the members, and which have them; nothing for values that are not known whole. */
  read(fields: JsonObject): { ask: ReasoningAsk; members: string[] } | undefined;
  /** The members for a request whose tools and messages are written, and the parameters that go with them. */
  write(request: Asking, wire: JsonObject, lose: Lose, traits: Traits): Settings;
}
interface Settings {
  members: JsonObject;
  params: Params;
}
type Asking = TextRequest & { reasoning: ReasoningAsk };

const levels = ["low", "medium", "high"] as const;
const isLevel = (word: unknown): word is (typeof levels)[number] => levels.includes(word as never);

/** The nearest of the words that models behind this wire know. */
function levelFor(effort: Effort, lose: Lose): string {
  const level = effort === "minimal" ? "low" : effort === "xhigh" || effort === "max" ? "high" : effort;
  if (level !== effort) lose("/reasoning/effort", "approximated", `became ${level}`);
  return level;
}

/** Hiding thoughts that are not requested has no effect. */
function loseShow({ show, ...amount }: ReasoningAsk, lose: Lose): void {
  const isIdle = Object.keys(amount).length === 0;
  if (show !== undefined && !(isIdle && show === "none")) lose("/reasoning/show", "unsupported");
}

/** A member that is an effort in one word. Such models always think. */
const word = (member: string): ThinkingField => ({
  read: ({ [member]: value }) => (isLevel(value) ? { ask: { effort: value }, members: [member] } : undefined),
  write({ reasoning, params }, _wire, lose) {
    loseShow(reasoning, lose);
    const effort = writeEffort(reasoning, lose);
    if (effort === "none") lose("/reasoning", "approximated", "thinking cannot be switched off");
    const level = effort === "none" ? "low" : effort && levelFor(effort, lose);
    return { members: level === undefined ? {} : { [member]: level }, params };
  },
});

const kinds: readonly (readonly [member: string, kind: BlockKind])[] = [
  ["reasoningContent", "thought"],
  ["toolUse", "call"],
  ["toolResult", "result"],
];

function turnsOf(wire: JsonObject): WrittenTurns {
  const { any, tool } = toObject(toObject(wire.toolConfig).toolChoice);
  return {
    forced: any !== undefined || tool !== undefined,
    turns: toArray(wire.messages)
      .map(toObject)
      .map(({ role, content }) => ({
        role,
        kinds: toArray(content).map(
          (block) => kinds.find(([member]) => toObject(block)[member] !== undefined)?.[1] ?? "other",
        ),
      })),
  };
}

/** The members of the messages wire, which this one hands on. */
const thinking: ThinkingField = {
  read(fields) {
    const config = toObject(fields.output_config);
    const { thinking, output_config } = fields;
    const isPlain = Object.keys(config).every((name) => name === "effort");
    const { ask, whole } = decodeThinking({ thinking, ...(isPlain && { output_config }) } as JsonObject);
    if (!ask || !whole) return undefined;
    return { ask, members: ["thinking", ...(isPlain && ask.effort !== undefined ? ["output_config"] : [])] };
  },
  write(request, wire, lose, traits) {
    const settings = encodeThinking(request, turnsOf(wire), lose, traits);
    const { thinking, effort } = settings;
    const members = {
      ...(thinking && { thinking }),
      ...(effort !== undefined && { output_config: { effort } }),
    };
    return { members, params: paramsWithThinking(settings, request.params, lose, traits) };
  },
};

/** An effort, of which the highest is refused beside an output limit and sampling. */
const reasoningConfig: ThinkingField = {
  read({ reasoningConfig: value }) {
    const { type, maxReasoningEffort: effort, ...more } = toObject(value);
    if (Object.keys(more).length > 0) return undefined;
    const members = ["reasoningConfig"];
    if (type === "disabled") return effort === undefined ? { ask: { mode: "off" }, members } : undefined;
    return type === "enabled" && isLevel(effort) ? { ask: { effort }, members } : undefined;
  },
  write({ reasoning, params }, _wire, lose): Settings {
    loseShow(reasoning, lose);
    const effort = writeEffort(reasoning, lose);
    if (effort === undefined) return { members: {}, params };
    if (effort === "none") return { members: { reasoningConfig: { type: "disabled" } }, params };
    const level = levelFor(effort, lose);
    const limited = level === "high" && params.maxTokens !== undefined;
    if (limited) lose("/reasoning/effort", "approximated", "became medium: high takes no output limit");
    const maxReasoningEffort = limited ? "medium" : level;
    const left = { ...params };
    if (maxReasoningEffort === "high")
      for (const name of ["temperature", "topP", "topK"] as const) {
        if (left[name] !== undefined)
          lose(`/params/${name}`, "unsupported", "refused beside the highest effort");
        delete left[name];
      }
    return { members: { reasoningConfig: { type: "enabled", maxReasoningEffort } }, params: left };
  },
};

/** The ways to say how much to think, by their names in the trait `modelFields`. */
const thinkingFields: Readonly<Record<string, ThinkingField>> = {
  thinking,
  reasoningConfig,
  reasoning_effort: word("reasoning_effort"),
  reasoning_config: word("reasoning_config"),
};

/** The settings for thinking among the members of single models, and the members that have them. */
export function decodeAsk(fields: JsonObject): { ask: ReasoningAsk; members: string[] } | undefined {
  for (const { read } of Object.values(thinkingFields)) {
    const found = read(fields);
    if (found) return found;
  }
  return undefined;
}

/** The members that say how much to think, for a model that has some, and the parameters that go with them. */
export function encodeAsk(request: TextRequest, wire: JsonObject, lose: Lose, traits: Traits): Settings {
  const { reasoning, params } = request;
  if (!reasoning) return { members: {}, params };
  const { modelFields = [] } = traits;
  const field = modelFields.map((name) => thinkingFields[name]).find((row) => row !== undefined);
  if (field) return field.write({ ...request, reasoning }, wire, lose, traits);
  loseShow(reasoning, lose);
  const { show: _, ...amount } = reasoning;
  for (const name of Object.keys(amount))
    lose(`/reasoning/${name}`, "unsupported", "no member for it is known of the model");
  return { members: {}, params };
}
