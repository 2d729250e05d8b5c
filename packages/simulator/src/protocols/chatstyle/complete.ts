import * as z from "zod";
import { firstFinding } from "../../check/finding.ts";
import { countTokens } from "../../content/tokens.ts";
import { toRefusal } from "../family.ts";
import type { Call, PlainAnswer } from "../protocol.ts";

const schema = z.looseObject({
  model: z.string().min(1),
  prompt: z.string(),
  suffix: z.string().optional(),
  stream: z.literal(false).nullish(),
});

/** The predecessor of chat completions, which continues a text. It is not streamed here. */
export function complete(body: unknown, _call: Call): PlainAnswer {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, body));
  const { model, prompt, suffix = "" } = parsed.data;
  const text = ` and so on after ${prompt.length} characters`;
  const input = countTokens(prompt) + countTokens(suffix);
  const output = countTokens(text);
  return {
    text: prompt,
    input,
    write: () => ({
      id: "cmpl-simulated",
      object: "text_completion",
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, text, finish_reason: "stop", logprobs: null }],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  };
}
