import type { Traits } from "../codec/traits.ts";
import type { MediaPart } from "../ir/index.ts";

/** Checks whether a result can hold a medium; `usual` is what the wire says about models without the trait. */
export function holdsMedia({ kind }: MediaPart, { resultMedia }: Traits, usual: boolean): boolean {
  const kinds = resultMedia ?? usual;
  return typeof kinds === "boolean" ? kinds : kinds.includes(kind);
}
