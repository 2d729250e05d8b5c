import type { Rule } from "../check/rule.ts";
import type { Body as ChatBody } from "../protocols/chatstyle/schema.ts";
import type { Body as ResponsesBody } from "../protocols/responses/schema.ts";
import { type Family, type FamilyCall, quotedList, wireRules } from "./family.ts";

/** The rules of one generation, as the vendor's model pages have them in November 2026. */
interface Generation {
  name: string;
  names: RegExp;
  /** Empty: the model does not reason. */
  efforts: readonly string[];
  /** The effort of a request that names none. */
  default?: string;
  /** `none`: values other than the default are taken where the effort is `none`. */
  sampling: "all" | "defaults" | "none";
  stop: boolean;
  /**
   * Functions on the chat wire: `unsaid`: only where no effort but `none` is written; `none`: only where `none` is
   * written; `never`: not at all.
   */
  functions?: "unsaid" | "none" | "never";
}

const TO_HIGH = ["low", "medium", "high"];
const FROM_NONE = ["none", ...TO_HIGH];
const fixed = { sampling: "defaults", stop: false } as const;
const plain = { efforts: [], sampling: "all", stop: true } as const;
const at = { sampling: "none", stop: true } as const;

const GENERATIONS: readonly Generation[] = [
  { name: "gpt-oss", names: /gpt-oss/, efforts: TO_HIGH, default: "medium", sampling: "all", stop: true },
  {
    name: "gpt-6-astra",
    names: /gpt-6(\.1)?-(astra|sol)/,
    efforts: [...TO_HIGH, "xhigh", "max"],
    default: "medium",
    ...fixed,
    functions: "never",
  },
  {
    name: "gpt-6",
    names: /gpt-6/,
    efforts: [...FROM_NONE, "xhigh", "max"],
    default: "medium",
    ...at,
    functions: "none",
  },
  {
    name: "gpt-5.6",
    names: /gpt-5\.6/,
    efforts: [...FROM_NONE, "xhigh", "max"],
    default: "medium",
    ...at,
    functions: "none",
  },
  {
    name: "gpt-5.5",
    names: /gpt-5\.5(?!-pro)/,
    efforts: [...FROM_NONE, "xhigh"],
    default: "medium",
    ...at,
    functions: "none",
  },
  {
    name: "gpt-5.4",
    names: /gpt-5\.4(?!-pro)/,
    efforts: [...FROM_NONE, "xhigh"],
    default: "none",
    ...at,
    functions: "unsaid",
  },
  { name: "gpt-5-chat", names: /gpt-5-chat/, ...plain },
  {
    name: "gpt-5.1-chat",
    names: /gpt-5\.[1-3]-chat/,
    efforts: ["medium"],
    default: "medium",
    ...fixed,
    stop: true,
  },
  { name: "gpt-5.1-codex", names: /gpt-5\.1-codex(?!-max)/, efforts: TO_HIGH, default: "medium", ...fixed },
  {
    name: "gpt-5.2-codex",
    names: /gpt-5\.(1-codex-max|2-codex)/,
    efforts: [...TO_HIGH, "xhigh"],
    default: "medium",
    ...fixed,
  },
  { name: "gpt-5-pro", names: /gpt-5-pro/, efforts: ["high"], default: "high", ...fixed },
  {
    name: "gpt-5.2-pro",
    names: /gpt-5\.\d-pro/,
    efforts: ["medium", "high", "xhigh"],
    default: "medium",
    ...fixed,
  },
  { name: "gpt-5.2", names: /gpt-5\.[23]/, efforts: [...FROM_NONE, "xhigh"], default: "none", ...at },
  { name: "gpt-5.1", names: /gpt-5\.1/, efforts: FROM_NONE, default: "none", ...at },
  { name: "gpt-5", names: /gpt-5/, efforts: ["minimal", ...TO_HIGH], default: "medium", ...fixed },
  { name: "o4-mini", names: /\bo[34]/, efforts: TO_HIGH, default: "medium", ...fixed },
  {
    name: "o1",
    names: /\bo1(?!-(mini|preview))/,
    efforts: TO_HIGH,
    default: "medium",
    sampling: "defaults",
    stop: true,
  },
  { name: "gpt-4", names: /gpt-(4|3\.5)/, ...plain },
];

/** The members of a request that the rules of both wires read. */
interface SamplingRequest {
  effort: string | null | undefined;
  temperature: number | null | undefined;
  top_p: number | null | undefined;
}

const unsupported = (field: string): string =>
  `Unsupported parameter: '${field}' is not supported with this model.`;

/** The rules of both wires; `effortField` is the wire's name of the effort. */
function sharedRules<Body>(
  { efforts, default: usual, sampling }: Generation,
  effortField: string,
  samplingOf: (body: Body) => SamplingRequest,
): Rule<Body, FamilyCall>[] {
  const sampled = (body: Body): boolean =>
    sampling === "all" || (sampling === "none" && (samplingOf(body).effort ?? usual) === "none");
  return [
    {
      field: effortField,
      code: efforts.length === 0 ? "unsupported_parameter" : "unsupported_value",
      broken: (body, { model }) => {
        const { effort } = samplingOf(body);
        if (effort == null || efforts.includes(effort)) return false;
        if (efforts.length === 0) return unsupported(effortField);
        return `Unsupported value: '${effort}' is not supported with the '${model}' model. Supported values are: ${quotedList(efforts)}.`;
      },
      message: "",
    },
    ...(["temperature", "top_p"] as const).map(
      (field): Rule<Body, FamilyCall> => ({
        field,
        code: "unsupported_value",
        broken: (body) => {
          const value = samplingOf(body)[field];
          if (value == null || value === 1 || sampled(body)) return false;
          return `Unsupported value: '${field}' does not support ${value} with this model. Only the default (1) value is supported.`;
        },
        message: "",
      }),
    ),
  ];
}

function chatRules(generation: Generation): Rule<ChatBody, FamilyCall>[] {
  const { efforts, default: usual, sampling, stop, functions } = generation;
  const reasons = efforts.length > 0 && generation.name !== "gpt-oss";
  const refused = (
    field: keyof ChatBody,
    broken: (body: ChatBody) => boolean,
    message = unsupported(field),
  ): Rule<ChatBody, FamilyCall> => ({
    field,
    code: "unsupported_parameter",
    broken: (body) => body[field] != null && broken(body),
    message,
  });
  return [
    ...sharedRules<ChatBody>(generation, "reasoning_effort", ({ reasoning_effort, temperature, top_p }) => ({
      effort: reasoning_effort,
      temperature,
      top_p,
    })),
    refused(
      "max_tokens",
      () => reasons,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    refused("stop", () => !stop),
    refused(
      "logprobs",
      ({ reasoning_effort, logprobs }) =>
        logprobs === true && reasons && !(sampling === "none" && (reasoning_effort ?? usual) === "none"),
    ),
    refused("presence_penalty", ({ presence_penalty }) => reasons && presence_penalty !== 0),
    refused("frequency_penalty", ({ frequency_penalty }) => reasons && frequency_penalty !== 0),
    refused("logit_bias", () => reasons),
    refused("top_logprobs", () => reasons),
    {
      field: "reasoning_effort",
      broken: ({ tools = [], reasoning_effort }, { model }) => {
        const taken =
          functions === undefined ||
          (functions !== "never" && reasoning_effort === "none") ||
          (functions === "unsaid" && reasoning_effort == null);
        if (tools.length === 0 || taken) return false;
        const or = functions === "never" ? "" : " or set reasoning_effort to 'none'";
        return `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses${or}.`;
      },
      message: "",
    },
  ];
}

const responsesRules = (generation: Generation): Rule<ResponsesBody, FamilyCall>[] => [
  ...sharedRules<ResponsesBody>(generation, "reasoning.effort", ({ reasoning, temperature, top_p }) => ({
    effort: reasoning?.effort,
    temperature,
    top_p,
  })),
  {
    field: "include",
    broken: ({ include }) =>
      generation.efforts.length === 0 && (include?.includes("reasoning.encrypted_content") ?? false),
    message: "Encrypted content is not supported with this model.",
  },
  {
    field: "top_logprobs",
    code: "unsupported_parameter",
    broken: ({ top_logprobs }) => generation.sampling !== "all" && top_logprobs != null,
    message: unsupported("top_logprobs"),
  },
  {
    field: "tools",
    broken: ({ tools = [], reasoning }) =>
      reasoning?.effort === "minimal" && tools.some(({ type }) => String(type).startsWith("web_search")),
    message: "The following tools cannot be used with reasoning.effort 'minimal': web_search.",
  },
];

export const effortFamilies: readonly Family[] = GENERATIONS.map((generation) => {
  const reasons = (effort: string | null | undefined): boolean =>
    generation.efforts.length > 0 && (effort ?? generation.default) !== "none";
  return {
    name: generation.name,
    names: generation.names,
    wires: {
      chatstyle: wireRules<ChatBody>({ rules: chatRules(generation) }),
      responses: wireRules<ResponsesBody>({
        rules: responsesRules(generation),
        thinks: ({ reasoning }) => reasons(reasoning?.effort),
      }),
    },
  };
});
