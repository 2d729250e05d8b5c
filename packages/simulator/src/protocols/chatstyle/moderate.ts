import * as z from "zod";
import { checked } from "../../check/body.ts";
import { digest } from "../../content/digest.ts";
import { countTokens, MEDIA_TOKENS } from "../../content/tokens.ts";
import { Refusal } from "../../refusal.ts";
import { imageOf, toRefusal } from "../family.ts";
import type { Call, PlainAnswer } from "../protocol.ts";

const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string() }) }),
]);
type Part = z.infer<typeof part>;

const schema = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.string()).min(1), z.array(part).min(1)]),
});

/** Categories, each with the word by which a text belongs to it. */
const categories = {
  harassment: "idiot",
  hate: "vermin",
  "self-harm": "suicide",
  sexual: "porn",
  violence: "kill",
} as const;

interface Judged {
  text: string;
  tokens: number;
  kinds: string[];
}

const toJudged = (parts: readonly Part[]): Judged => ({
  text: parts.map((one) => (one.type === "text" ? one.text : one.image_url.url)).join("\n"),
  tokens: parts.reduce(
    (sum, one) => sum + (one.type === "text" ? countTokens(one.text) : MEDIA_TOKENS.image),
    0,
  ),
  kinds: [...new Set(parts.map(({ type }) => (type === "text" ? "text" : "image")))],
});

/** The texts, each judged by itself; the parts of a list are judged together. */
function judgedOf(input: z.infer<typeof schema>["input"], model: string): Judged[] {
  if (typeof input === "string") return [toJudged([{ type: "text", text: input }])];
  const parts = input.filter((one) => typeof one !== "string");
  if (parts.length === 0) return (input as string[]).map((text) => toJudged([{ type: "text", text }]));
  for (const [i, one] of parts.entries()) {
    if (one.type === "text") continue;
    const field = `input[${i}].image_url.url`;
    if (model.startsWith("text-"))
      throw new Refusal("invalid", `The model '${model}' judges text only.`, { field });
    imageOf(one.image_url.url, field);
  }
  return [toJudged(parts)];
}

function verdict({ text, kinds }: Judged) {
  const found = Object.entries(categories).map(([name, word]) => {
    const applies = text.toLowerCase().includes(word);
    const rest = Number.parseInt(digest(name, text).slice(0, 8), 16) / 0xffffffff;
    return { name, applies, score: applies ? 0.9 + rest / 10 : rest / 100 };
  });
  const record = <Value>(of: (one: (typeof found)[number]) => Value) =>
    Object.fromEntries(found.map((one) => [one.name, of(one)]));
  return {
    flagged: found.some(({ applies }) => applies),
    categories: record(({ applies }) => applies),
    category_scores: record(({ score }) => score),
    category_applied_input_types: record(() => kinds),
  };
}

/** One verdict for each text, or one for all parts. */
export function moderate(input: unknown, { model }: Call): PlainAnswer {
  const judged = judgedOf(checked(schema, input, toRefusal).input, model);
  return {
    text: judged.map(({ text }) => text).join("\n"),
    input: judged.reduce((sum, { tokens }) => sum + tokens, 0),
    // Vendors count no tokens here.
    write: () => ({
      id: `modr-${digest(JSON.stringify(judged)).slice(0, 24)}`,
      model,
      results: judged.map(verdict),
    }),
  };
}
