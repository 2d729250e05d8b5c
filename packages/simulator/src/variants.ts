/** The kinds of server that a model's name can stand for. Names may carry any of these suffixes. */
export const VARIANTS = {
  "-missing": "no such model: 404",
  "-old": "an older server: knows none of the newer fields, effort levels or roles",
  "-new":
    "a newer model: only adaptive thinking, no sampling fields, no prefill, no `max_tokens` beside reasoning",
  "-strict": "takes back nothing it did not document: no `reasoning_content`, arguments must be JSON objects",
} as const;

export type Variant = keyof typeof VARIANTS;

/** Checks whether a model name asks for a variant. */
export function isVariant(model: string, variant: Variant): boolean {
  return model.includes(variant);
}
