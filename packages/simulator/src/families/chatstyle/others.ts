import type { Rule } from "../../check/rule.ts";
import type { Body } from "../../protocols/chatstyle/schema.ts";
import { type Family, type FamilyCall, wireRules } from "../family.ts";

const headOnly = (message: string): Rule<Body, FamilyCall> => ({
  broken: ({ messages }) =>
    messages.some(({ role }, at) => role === "system" && at > 0 && messages[at - 1]!.role !== "system"),
  message,
});

const textOnly: Rule<Body, FamilyCall> = {
  broken: ({ messages }) =>
    messages.some(
      ({ role, content }) =>
        role === "user" && Array.isArray(content) && content.some(({ type }) => type !== "text"),
    ),
  message: "messages: the model reads text only",
};

/** Families with few rules of their own, as their vendors' pages have them in November 2026. */
export const others: readonly Family[] = [
  {
    name: "glm-5.3",
    names: /glm-5\.3/,
    wires: {
      chatstyle: wireRules<Body>({
        members: ["thinking", "do_sample"],
        rules: [
          textOnly,
          {
            broken: (_, { extra }) => (extra.thinking as { type?: unknown } | undefined)?.type === "disabled",
            message: "thinking cannot be disabled for this model",
          },
          {
            broken: ({ reasoning_effort: effort }) =>
              effort != null &&
              !["low", "high", "max", "none"].includes(effort) &&
              `reasoning_effort ${effort} is not supported, please use low, high, or max`,
            message: "",
          },
        ],
        errorBody: ({ message }) => ({ error: { code: "1210", message } }),
      }),
    },
  },
  {
    name: "minimax-m2",
    names: /minimax-m[2-9]/,
    wires: {
      chatstyle: wireRules<Body>({
        members: ["thinking", "reasoning_split"],
        rules: [
          headOnly("invalid params, chat content has invalid message role: system (2013)"),
          {
            broken: ({ tools = [] }) =>
              tools.some((tool) => tool.type === "function" && tool.function.parameters === undefined),
            message: "invalid params, function parameters is empty (2013)",
          },
          { broken: ({ n }) => n != null && n !== 1, message: "invalid params, n must be 1 (2013)" },
        ],
        errorBody: ({ message, status }) => ({
          type: "error",
          error: { type: "bad_request_error", message, http_code: String(status) },
        }),
      }),
    },
  },
  {
    name: "command-a",
    names: /command-a/,
    wires: {
      chatstyle: wireRules<Body>({
        rules: [
          {
            broken: ({ reasoning_effort: effort }) =>
              effort != null && effort !== "none" && effort !== "high",
            message: "reasoning_effort is not supported. Use 'high' instead",
          },
          {
            broken: ({ tool_choice }) => tool_choice !== undefined && tool_choice !== "auto",
            message: "tool_choice is not supported for this model",
          },
        ],
        errorBody: ({ message }) => ({ message }),
      }),
    },
  },
];
