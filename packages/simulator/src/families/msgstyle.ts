import type { Rule } from "../check/rule.ts";
import type { Body } from "../protocols/msgstyle/schema.ts";
import { type Family, type FamilyCall, wireRules } from "./family.ts";

type Thinking = "enabled" | "adaptive" | "disabled" | "between_tools";

/** The rules of one generation, as the vendor's model pages and migration guides have them in November 2026. */
interface Generation {
  name: string;
  names: RegExp;
  thinking: readonly Thinking[];
  /** With these efforts, thinking may be switched off. Default: all. */
  offAt?: readonly string[];
  /** Empty: the model has no effort. */
  efforts: readonly string[];
  /** `one`: a temperature or a `top_p`; `defaults`: no value but the default. */
  sampling: "all" | "one" | "defaults";
  /** System messages within the conversation. */
  midSystem?: true;
  /** Tools may not be forced. */
  unforced?: true;
  /** Formats of the answer, and strict tools. */
  formats: boolean;
  /** The conversation may end with a turn of the assistant. */
  prefill: boolean;
  most: number;
}

const TO_HIGH = ["low", "medium", "high"];
const ALL = [...TO_HIGH, "xhigh", "max"];
const old = { thinking: ["enabled", "disabled"], efforts: [], prefill: true } as const;
const newest = { efforts: ALL, sampling: "defaults", formats: true, prefill: false, most: 128_000 } as const;

const GENERATIONS: readonly Generation[] = [
  {
    name: "claude-3-5",
    names: /claude-(instant|2|3-(opus|sonnet|haiku)|3[-.]5)/,
    thinking: [],
    efforts: [],
    sampling: "all",
    formats: false,
    prefill: true,
    most: 8192,
  },
  { name: "claude-3-7", names: /claude-3[-.]7/, ...old, sampling: "all", formats: false, most: 64_000 },
  {
    name: "claude-opus-4-1",
    names: /claude-opus-4[-.]1(?!\d)/,
    ...old,
    sampling: "one",
    formats: true,
    most: 32_000,
  },
  {
    name: "claude-opus-4-5",
    names: /claude-opus-4[-.]5(?!\d)/,
    ...old,
    efforts: TO_HIGH,
    sampling: "one",
    formats: true,
    most: 64_000,
  },
  {
    name: "claude-4-5",
    names: /claude-((sonnet|haiku)-)?4[-.]5(?!\d)/,
    ...old,
    sampling: "one",
    formats: true,
    most: 64_000,
  },
  {
    name: "claude-4-6",
    names: /claude-((opus|sonnet)-)?4[-.]6(?!\d)/,
    thinking: ["adaptive", "enabled", "disabled"],
    efforts: [...TO_HIGH, "max"],
    sampling: "one",
    formats: true,
    prefill: false,
    most: 128_000,
  },
  { name: "claude-opus-4-7", names: /claude-(opus-)?4[-.]7/, thinking: ["adaptive", "disabled"], ...newest },
  {
    name: "claude-opus-4-8",
    names: /claude-(opus-)?4[-.]8/,
    thinking: ["adaptive", "disabled"],
    midSystem: true,
    ...newest,
  },
  {
    name: "claude-opus-4",
    names: /claude-(opus-4|4-opus)/,
    ...old,
    sampling: "all",
    formats: false,
    most: 32_000,
  },
  {
    name: "claude-4",
    names: /claude-(sonnet-)?4/,
    ...old,
    sampling: "all",
    formats: false,
    most: 64_000,
  },
  {
    name: "claude-sonnet-5-5",
    names: /claude-sonnet-5[-.]5/,
    thinking: ["adaptive", "between_tools"],
    midSystem: true,
    unforced: true,
    ...newest,
  },
  {
    name: "claude-haiku-5-5",
    names: /claude-haiku-5[-.]5/,
    thinking: ["adaptive", "disabled"],
    offAt: TO_HIGH,
    midSystem: true,
    ...newest,
  },
  {
    name: "claude-opus-5-5",
    names: /claude-(opus-)?5[-.]5/,
    thinking: ["adaptive"],
    midSystem: true,
    unforced: true,
    ...newest,
  },
  { name: "claude-sonnet-5", names: /claude-sonnet-5/, thinking: ["adaptive", "disabled"], ...newest },
  {
    name: "claude-5",
    names: /claude-(opus-)?5/,
    thinking: ["adaptive", "disabled"],
    offAt: TO_HIGH,
    midSystem: true,
    ...newest,
  },
  {
    name: "claude-fable-5",
    names: /claude-(fable|mythos)-5/,
    thinking: ["adaptive"],
    midSystem: true,
    unforced: true,
    ...newest,
  },
];

const invalidThinking = (type: string, { thinking }: Generation): string => {
  if (thinking.length === 0) return "thinking: Extra inputs are not permitted";
  if (type === "adaptive") return "adaptive thinking is not supported on this model";
  const instead =
    type === "disabled" && thinking.includes("between_tools")
      ? '"thinking.type.between_tools"'
      : '"thinking.type.adaptive" and "output_config.effort"';
  return `"thinking.type.${type}" is not supported for this model. Use ${instead} to control thinking behavior.`;
};

const effortOf = ({ output_config }: Body): string => output_config?.effort ?? "high";

/** The first system message that the model does not take where it stands. */
function misplacedSystem({ messages }: Body, { midSystem }: Generation): string | undefined {
  for (const [at, { role }] of messages.entries()) {
    if (role !== "system") continue;
    if (!midSystem) return "role 'system' is not supported on this model";
    const next = messages[at + 1]?.role;
    if (next !== undefined && next !== "assistant")
      return `messages.${at}: role 'system' must precede an 'assistant' message or end the array`;
    if (messages[at - 1]?.role !== "user")
      return `messages.${at}: role 'system' must follow a 'user' message or an 'assistant' message that ends in a server tool use`;
  }
  return undefined;
}

const rulesOf = (generation: Generation): Rule<Body, FamilyCall>[] => [
  {
    broken: (body) => {
      const type = body.thinking?.type;
      if (type === undefined) return false;
      const off = type === "disabled" && generation.offAt && !generation.offAt.includes(effortOf(body));
      // A model that never thinks takes the word that switches thinking off.
      if (generation.thinking.length === 0 && type === "disabled") return false;
      return (off || !generation.thinking.includes(type)) && invalidThinking(type, generation);
    },
    message: "",
  },
  {
    broken: ({ output_config }) => {
      const effort = output_config?.effort;
      if (effort == null || generation.efforts.includes(effort)) return false;
      if (generation.efforts.length === 0) return "This model does not support the effort parameter.";
      return `This model does not support effort level '${effort}'. Supported levels: ${generation.efforts.toSorted().join(", ")}.`;
    },
    message: "",
  },
  {
    broken: ({ temperature, top_p }) =>
      generation.sampling === "one" && temperature !== undefined && top_p !== undefined,
    message: "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
  },
  ...(["temperature", "top_p", "top_k"] as const).map(
    (field): Rule<Body, FamilyCall> => ({
      broken: (body) =>
        generation.sampling === "defaults" &&
        body[field] !== undefined &&
        (field === "top_k" || body[field] !== 1),
      message: `\`${field}\` is deprecated for this model.`,
    }),
  ),
  { broken: (body) => misplacedSystem(body, generation), message: "" },
  {
    broken: ({ tool_choice }) =>
      generation.unforced && (tool_choice?.type === "any" || tool_choice?.type === "tool"),
    message: "tool_choice forces tool use is not compatible with this model.",
  },
  {
    broken: ({ output_config }) => !generation.formats && output_config?.format != null,
    message: "output_config.format: Extra inputs are not permitted",
  },
  {
    broken: ({ tools = [] }) => {
      const at = tools.findIndex((tool) => "strict" in tool && tool.strict !== undefined);
      return !generation.formats && at >= 0 && `tools.${at}.custom.strict: Extra inputs are not permitted`;
    },
    message: "",
  },
  {
    broken: ({ messages }) =>
      !generation.prefill && messages.findLast(({ role }) => role !== "system")?.role === "assistant",
    message:
      "This model does not support assistant message prefill. The conversation must end with a user message.",
  },
  {
    broken: ({ max_tokens }, { model }) =>
      max_tokens > generation.most &&
      max_tokens !== Number.MAX_SAFE_INTEGER &&
      `max_tokens: ${max_tokens} > ${generation.most}, which is the maximum allowed number of output tokens for ${model}`,
    message: "",
  },
];

export const msgstyleFamilies: readonly Family[] = GENERATIONS.map((generation) => ({
  name: generation.name,
  names: generation.names,
  wires: { msgstyle: wireRules<Body>({ rules: rulesOf(generation) }) },
}));
