import { contextOverflow, type Json } from "@manifold-gateway/core/codec";
import { type ErrorStatement, errorStatements } from "./error-statements.ts";

/** What a provider finds wrong with the content of a request, where another model may take it. */
export type RefusedContent = "filtered" | "context";

/** Forms in which providers say it: a code, or words of a statement. As of November 2026. */
interface Form {
  codes: RegExp;
  words: RegExp;
}

const forms: Readonly<Record<RefusedContent, Form>> = {
  /** The conversation is longer than the model's window. */
  context: contextOverflow,
  /** A filter of the provider objects to the content. */
  filtered: {
    codes:
      /^(?:content_filter|content_policy_violation|content_filtered|ResponsibleAIPolicyViolation|data_?inspection_?failed|moderation_blocked|sensitive_content|invalid_prompt|safety_violation|guardrail_intervened|1301)$/i,
    words:
      /content (?:management|policy|filter)|safety (?:system|filter|settings)|flagged (?:as|by|for)|requires moderation|inappropriate content|sensitive content|usage polic(?:y|ies)|guardrail/i,
  },
};

const kinds = Object.entries(forms) as [RefusedContent, Form][];

/** Reads whether the error of a provider is about the length of a conversation, or about what stands in it. */
export function refusedContent(body: Json | undefined): RefusedContent | undefined {
  for (const statement of errorStatements(body)) {
    const kind = kinds.find(([, form]) => fits(form, statement));
    if (kind) return kind[0];
  }
  return undefined;
}

const fits = ({ codes, words }: Form, { code, words: text }: ErrorStatement): boolean =>
  code?.split(" ").some((one) => codes.test(one)) === true || words.test(text);
