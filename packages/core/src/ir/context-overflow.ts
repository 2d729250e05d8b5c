import type { Failure, FailureKind } from "./failure.ts";

/** The codes and the words by which providers say that a conversation is longer than the model's window. */
export const contextOverflow = {
  codes:
    /^(?:context_length_exceeded|context_window_exceeded|exceed_context_size_error|string_above_max_length|prompt_too_long|model_max_prompt_tokens_exceeded|1261)$/i,
  words:
    /context.window|context (?:length|limit|size)|maximum (?:prompt|model) length|too large for model|(?:prompt|input)(?: tokens)? (?:is )?too long|too many (?:input )?tokens|prompt exceeds max length|exceed max message tokens|(?:input|prompt) (?:token count|tokens?|length)[^.]{0,60}exceed|exceeded model token limit|exceeds? the (?:maximum|max) (?:number of |input |prompt )?(?:tokens?|length)|tokens in request more than max|reduce the length of the (?:messages|prompt|input)|range of input length should be|`inputs` (?:must have less than|tokens \+ `max_new_tokens` must be)|max_tokens must be at least 1, got -\d/i,
} as const;

/** A limit of a rate speaks of too many tokens as well. */
const kinds: readonly FailureKind[] = ["invalid", "too_large", "server"];

/** Checks whether an error is about the length of the conversation: clients shorten theirs then, and try again. */
export const isContextOverflow = ({ kind, code = "", message }: Failure): boolean =>
  kinds.includes(kind) && (contextOverflow.codes.test(code) || contextOverflow.words.test(message));

/** Numbers of tokens as servers write them into their sentences. */
const figures = {
  limit: /maximum context length (?:is |of )?(\d{1,12})/i,
  input:
    /\b(\d{1,12}) (?:tokens )?(?:in|from) the (?:input )?messages|\b(\d{1,12}) input tokens|resulted in (\d{1,12}) tokens/i,
  output:
    /\b(\d{1,12}) (?:tokens )?(?:in|for) the completion|\b(\d{1,12}) output tokens|is too large: (\d{1,12})/i,
} as const;

/** The tokens of which the message of such an error speaks: of the input, of the output that may follow, and of both. */
export function tokensOf(message: string): { [Figure in keyof typeof figures]?: number } {
  const found = Object.entries(figures).map(([name, form]) => [
    name,
    form.exec(message)?.slice(1).find(Boolean),
  ]);
  return Object.fromEntries(found.flatMap(([name, digits]) => (digits ? [[name, Number(digits)]] : [])));
}
