import type { JsonObject } from "../../content/request-content.ts";
import type { Body } from "../../protocols/chatstyle/schema.ts";
import { type Family, wireRules } from "../family.ts";

const isForced = (choice: Body["tool_choice"]): boolean =>
  choice !== undefined && choice !== "auto" && choice !== "none";

/** As the vendor's error page and its guide to deep thinking have it in November 2026. */
const wire = (thinks: (body: Body, extra: JsonObject) => boolean) =>
  wireRules<Body>({
    members: ["enable_thinking", "thinking_budget", "top_k", "repetition_penalty", "enable_search"],
    thinks,
    rules: [
      {
        broken: (body, { extra }) => thinks(body, extra) && isForced(body.tool_choice),
        message:
          "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
      },
      {
        broken: (body, { extra }) =>
          thinks(body, extra) && body.response_format !== undefined && body.response_format.type !== "text",
        message:
          "<400> InternalError.Algo.InvalidParameter: Json mode response is not supported when enable_thinking is true",
      },
    ],
    errorBody: ({ message }) => ({
      error: { code: "invalid_parameter_error", param: null, message, type: "invalid_request_error" },
    }),
  });

export const thinkingMode: readonly Family[] = [
  {
    name: "qwen3.8",
    names: /qwen3\.8/,
    wires: { chatstyle: wire(({ reasoning_effort }) => (reasoning_effort ?? "xhigh") !== "none") },
  },
  {
    name: "qwen3.6",
    names: /qwen3\.[5-7]/,
    wires: { chatstyle: wire((_, { enable_thinking }) => enable_thinking !== false) },
  },
];
