import type { Protocol } from "../ir/part.ts";
import type { JsonObject } from "../json/json.ts";

/** How clients of a protocol ask how many tokens a request has. */
export interface CountForm {
  /** Members that may hold a whole request, which names the model again. */
  whole?: readonly string[];
  /** The answer with the count. */
  answer(tokens: number): JsonObject;
}

/** The protocols whose clients can have tokens counted. */
export const countForms = {
  responses: { answer: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }) },
  msgstyle: { answer: (tokens) => ({ input_tokens: tokens }) },
  genstyle: {
    whole: ["generateContentRequest", "generate_content_request"],
    answer: (tokens) => ({ totalTokens: tokens }),
  },
} as const satisfies Partial<Record<Protocol, CountForm>>;
