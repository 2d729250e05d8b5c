import type { Rule } from "../../check/rule.ts";
import type { Body } from "../../protocols/chatstyle/schema.ts";
import { type Family, type FamilyCall, wireRules } from "../family.ts";

const headOnly = (says: string): Rule<Body, FamilyCall> => ({
  broken: ({ messages }) =>
    messages.some(({ role }, at) => role === "system" && at > 0 && messages[at - 1]!.role !== "system"),
  says,
});

const textOnly: Rule<Body, FamilyCall> = {
  broken: ({ messages }) =>
    messages.some(
      ({ role, content }) =>
        role === "user" && Array.isArray(content) && content.some(({ type }) => type !== "text"),
    ),
  says: "messages: the model reads text only",
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
            says: "thinking cannot be disabled for this model",
          },
          {
            broken: ({ reasoning_effort: effort }) =>
              effort != null &&
              !["low", "high", "max", "none"].includes(effort) &&
              `reasoning_effort ${effort} is not supported, please use low, high, or max`,
            says: "",
          },
        ],
        spell: ({ message }) => ({ error: { code: "1210", message } }),
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
            says: "invalid params, function parameters is empty (2013)",
          },
          { broken: ({ n }) => n != null && n !== 1, says: "invalid params, n must be 1 (2013)" },
        ],
        spell: ({ message, status }) => ({
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
            says: "reasoning_effort is not supported. Use 'high' instead",
          },
          {
            broken: ({ tool_choice }) => tool_choice !== undefined && tool_choice !== "auto",
            says: "tool_choice is not supported for this model",
          },
        ],
        spell: ({ message }) => ({ message }),
      }),
    },
  },
];
