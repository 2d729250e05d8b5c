import type { AnyProvider } from "../codec/codec.ts";
import { replaceString } from "../json/splice.ts";

/** Replaces the model's name in the text of a body or chunk. `written` is the new name as JSON. */
export const renaming =
  ({ reply }: Pick<AnyProvider, "reply">, written: string) =>
  (text: string): string =>
    (reply.model ?? []).reduce((out, path) => replaceString(out, path, written), text);
