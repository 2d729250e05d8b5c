import { strictViolation } from "../../check/dialect.ts";
import type { Rule } from "../../check/rule.ts";
import { unseal } from "../../content/digest.ts";
import { isVariant } from "../../variants.ts";
import type { Call } from "../protocol.ts";
import type { Body, Item } from "./schema.ts";

const itemsOf = ({ input }: Body): Item[] => (typeof input === "string" ? [] : input);

/** The beginnings of the ids of each kind of item. */
const PREFIX: Partial<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  function_call_output: "fc",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctc",
  reasoning: "rs",
};

const CALLS = ["function_call", "custom_tool_call"];
const OUTPUTS = ["function_call_output", "custom_tool_call_output"];

const callIds = (items: Item[], types: string[]): string[] =>
  items.flatMap((item) =>
    "call_id" in item && typeof item.call_id === "string" && types.includes(item.type ?? "")
      ? [item.call_id]
      : [],
  );

/** The reasoning item that a call's own id says it came from: ids of calls after reasoning carry it. */
export const reasonedId = (hash: string): string => `r${hash.slice(0, 20)}`;
const reasonOf = (id: string | null | undefined): string | undefined => id?.match(/^fc_(r[0-9a-f]{20})/)?.[1];

/** Rules about the conversation; they see the items of a previous response as well. */
export const itemRules: Rule<Item[], Call>[] = [
  {
    field: "input",
    broken: (items) => {
      const calls = callIds(items, CALLS);
      const orphan = callIds(items, OUTPUTS).find((id) => !calls.includes(id));
      return orphan !== undefined && `No tool call found for function call output with call_id ${orphan}.`;
    },
    message: "",
  },
  {
    field: "input",
    broken: (items) => {
      const outputs = callIds(items, OUTPUTS);
      const open = callIds(items, CALLS).find((id) => !outputs.includes(id));
      return open !== undefined && `No tool output found for function call ${open}.`;
    },
    message: "",
  },
  {
    field: "input",
    broken: (items) => {
      const lonely = items.find((item, index) => {
        if (item.type !== "reasoning") return false;
        const next = items[index + 1];
        return !next || OUTPUTS.includes(next.type ?? "") || ("role" in next && next.role !== "assistant");
      });
      return (
        lonely?.type === "reasoning" &&
        `Item '${lonely.id ?? "reasoning"}' of type 'reasoning' was provided without its required following item.`
      );
    },
    message: "",
  },
  {
    field: "input",
    broken: (items) => {
      const reasons = items.flatMap((item) => (item.type === "reasoning" ? [item.id] : []));
      for (const item of items) {
        const reason = item.type === "function_call" ? reasonOf(item.id) : undefined;
        if (item.type === "function_call" && reason && !reasons.includes(`rs_${reason}`))
          return `Item '${item.id}' of type 'function_call' was provided without its required 'reasoning' item: 'rs_${reason}'.`;
      }
      return false;
    },
    message: "",
  },
];

export const rules: Rule<Body, Call>[] = [
  {
    field: "input",
    code: "invalid_value",
    broken: (body) => {
      for (const [index, item] of itemsOf(body).entries()) {
        const prefix = PREFIX[item.type ?? "message"];
        const id = "id" in item && typeof item.id === "string" ? item.id : undefined;
        if (prefix && id && !id.startsWith(prefix))
          return `Invalid 'input[${index}].id': '${id}'. Expected an ID that begins with '${prefix}'.`;
      }
      return false;
    },
    message: "",
  },
  {
    field: "input",
    code: "invalid_encrypted_content",
    broken: (body) => {
      const foreign = itemsOf(body).find(
        (item) =>
          item.type === "reasoning" &&
          item.encrypted_content != null &&
          unseal("responses", item.encrypted_content) === undefined,
      );
      return (
        foreign?.type === "reasoning" &&
        `The encrypted content for item ${foreign.id ?? "reasoning"} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
      );
    },
    message: "",
  },
  {
    field: "tool_choice",
    broken: ({ tool_choice, tools = [] }) => {
      if (tool_choice === "required" && tools.length === 0)
        return "Tool choice 'required' must be specified with 'tools' parameter.";
      if (typeof tool_choice !== "object" || !("name" in tool_choice)) return false;
      const known = tools.some((tool) => "name" in tool && tool.name === tool_choice.name);
      return !known && `Tool choice '${String(tool_choice.name)}' not found in 'tools' parameter.`;
    },
    message: "",
  },
  {
    field: "text.format.schema",
    code: "invalid_json_schema",
    broken: ({ text }) => {
      if (text?.format?.type !== "json_schema" || !text.format.strict) return false;
      const against = strictViolation(text.format.schema);
      return against && `Invalid schema for response_format '${text.format.name}': ${against}`;
    },
    message: "",
  },
  {
    field: "tools",
    code: "invalid_function_parameters",
    broken: ({ tools = [] }) => {
      for (const tool of tools) {
        if (tool.type !== "function" || !("parameters" in tool)) continue;
        const against = tool.strict && tool.parameters ? strictViolation(tool.parameters) : undefined;
        if (against) return `Invalid schema for function '${String(tool.name)}': ${against}`;
      }
      return false;
    },
    message: "",
  },
  {
    field: "input",
    broken: ({ text, input, instructions }) =>
      text?.format?.type === "json_object" && !/json/i.test(`${JSON.stringify(input)}${instructions ?? ""}`),
    message:
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
  },
  {
    field: "previous_response_id",
    broken: ({ previous_response_id, conversation }) => previous_response_id != null && conversation != null,
    message: "Mutually exclusive parameters: 'previous_response_id' and 'conversation'.",
  },
  {
    field: "reasoning.effort",
    code: "unsupported_parameter",
    broken: ({ model, reasoning }) => isVariant(model, "-old") && reasoning?.effort != null,
    message: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
  },
  ...(["temperature", "top_p"] as const).map(
    (field): Rule<Body, Call> => ({
      field,
      code: "unsupported_parameter",
      broken: (body) => isVariant(body.model, "-new") && body[field] != null && body[field] !== 1,
      message: `Unsupported parameter: '${field}' is not supported with this model.`,
    }),
  ),
];
