import { strictViolation } from "../../check/dialect.ts";
import type { Rule } from "../../check/rule.ts";
import { isVariant } from "../../variants.ts";
import type { Call } from "../protocol.ts";
import type { Body, Message } from "./schema.ts";

const calls = (message: Message | undefined): string[] =>
  message?.role === "assistant" ? (message.tool_calls ?? []).map((call) => call.id) : [];

/** The first call whose result does not follow directly. */
function unanswered({ messages }: Body): string | undefined {
  for (const [index, message] of messages.entries()) {
    const open = new Set(calls(message));
    for (let next = index + 1; open.size > 0; next++) {
      const follower = messages[next];
      if (follower?.role !== "tool") {
        const ids = [...open].join(", ");
        return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`;
      }
      open.delete(follower.tool_call_id);
    }
  }
  return undefined;
}

/** The first tool message that answers no call of the step before it. */
function hasOrphanResult({ messages }: Body): boolean {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role !== "tool") open = calls(message);
    else if (!open.includes(message.tool_call_id)) return true;
    else open = open.filter((id) => id !== message.tool_call_id);
  }
  return false;
}

const toolNames = ({ tools = [] }: Body): string[] =>
  tools.map((tool) => (tool.type === "function" ? tool.function.name : tool.custom.name));

function choiceNames({ tool_choice }: Body): string[] {
  if (typeof tool_choice !== "object") return [];
  if (tool_choice.type === "function") return [tool_choice.function.name];
  if (tool_choice.type === "custom") return [tool_choice.custom.name];
  return tool_choice.allowed_tools.tools.map((tool) => tool.function.name);
}

const isObjectText = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const unsupported = (model: string, field: string, instead = ""): string =>
  `Unsupported parameter: '${field}' is not supported with this model (${model}).${instead}`;

export const rules: Rule<Body, Call>[] = [
  {
    field: "tool_choice",
    broken: ({ tool_choice, tools }) => tool_choice !== undefined && !tools,
    message: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
  },
  {
    field: "parallel_tool_calls",
    broken: ({ parallel_tool_calls, tools }) => parallel_tool_calls !== undefined && !tools,
    message:
      "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
  },
  {
    field: "tool_choice",
    broken: (body) => {
      const absent = choiceNames(body).find((name) => !toolNames(body).includes(name));
      return absent !== undefined && `Tool choice '${absent}' not found in 'tools' parameter.`;
    },
    message: "Tool choice not found in 'tools' parameter.",
  },
  {
    field: "stream_options",
    broken: ({ stream, stream_options }) => stream_options != null && !stream,
    message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  },
  {
    field: "max_tokens",
    broken: ({ max_tokens, max_completion_tokens }) => max_tokens != null && max_completion_tokens != null,
    message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
  },
  {
    field: "top_logprobs",
    broken: ({ top_logprobs, logprobs }) => top_logprobs != null && !logprobs,
    message: "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
  },
  {
    field: "messages",
    broken: ({ messages }) => {
      const at = messages.findIndex(
        (message) =>
          message.role === "assistant" &&
          message.content == null &&
          message.refusal == null &&
          !message.tool_calls &&
          !message.function_call &&
          !message.audio,
      );
      return at >= 0 && `Invalid value for 'messages[${at}].content': expected a string, got null.`;
    },
    message: "Invalid value for 'content': expected a string, got null.",
  },
  { field: "messages", broken: unanswered, message: "A call has no result." },
  {
    field: "messages",
    broken: hasOrphanResult,
    message:
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  },
  {
    field: "messages",
    broken: ({ response_format, messages }) =>
      response_format?.type === "json_object" && !/json/i.test(JSON.stringify(messages)),
    message:
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
  },
  {
    field: "response_format",
    code: "invalid_json_schema",
    broken: ({ response_format }) => {
      if (response_format?.type !== "json_schema" || !response_format.json_schema.strict) return false;
      const { name, schema = {} } = response_format.json_schema;
      const against = strictViolation(schema);
      return against && `Invalid schema for response_format '${name}': ${against}`;
    },
    message: "Invalid schema for response_format.",
  },
  {
    field: "tools",
    code: "invalid_function_parameters",
    broken: ({ tools = [] }) => {
      for (const tool of tools) {
        if (tool.type !== "function") continue;
        const { name, parameters, strict } = tool.function;
        if (parameters && parameters.type !== undefined && parameters.type !== "object")
          return `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${String(parameters.type)}"'.`;
        const against = strict && parameters ? strictViolation(parameters) : undefined;
        if (against) return `Invalid schema for function '${name}': ${against}`;
      }
      return false;
    },
    message: "Invalid schema for function.",
  },
  {
    field: "max_tokens",
    code: "unsupported_parameter",
    broken: ({ model, max_tokens }) =>
      isVariant(model, "-new") &&
      max_tokens != null &&
      unsupported(model, "max_tokens", " Use 'max_completion_tokens' instead."),
    message: "",
  },
  ...(["temperature", "top_p"] as const).map(
    (field): Rule<Body, Call> => ({
      field,
      code: "unsupported_value",
      broken: (body) =>
        isVariant(body.model, "-new") &&
        body[field] != null &&
        body[field] !== 1 &&
        `Unsupported value: '${field}' does not support ${body[field]} with this model. Only the default (1) value is supported.`,
      message: "",
    }),
  ),
  ...(["max_completion_tokens", "reasoning_effort", "parallel_tool_calls", "verbosity"] as const).map(
    (field): Rule<Body, Call> => ({
      field,
      code: "unsupported_parameter",
      broken: (body) =>
        isVariant(body.model, "-old") && body[field] != null && unsupported(body.model, field),
      message: "",
    }),
  ),
  {
    field: "messages",
    code: "invalid_value",
    broken: ({ model, messages }) =>
      isVariant(model, "-old") && messages.some((message) => message.role === "developer"),
    message:
      "Invalid value: 'developer'. Supported values are: 'system', 'assistant', 'user', 'function', and 'tool'.",
  },
  {
    field: "messages",
    code: "unknown_parameter",
    broken: ({ model, messages }) => {
      const at = messages.findIndex(
        (message) => message.role === "assistant" && message.reasoning_content != null,
      );
      return (
        isVariant(model, "-strict") && at >= 0 && `Unknown parameter: 'messages[${at}].reasoning_content'.`
      );
    },
    message: "",
  },
  {
    field: "messages",
    broken: ({ model, messages }) =>
      isVariant(model, "-strict") &&
      messages.some(
        (message) =>
          message.role === "assistant" &&
          message.tool_calls?.some(
            (call) => call.type === "function" && !isObjectText(call.function.arguments),
          ),
      ),
    message: "Invalid 'tool_calls': 'arguments' must be the text of a JSON object.",
  },
];
