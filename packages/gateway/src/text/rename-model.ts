import { type AnyProvider, exchange } from "@manifold-gateway/core";
import type { Plan, TextAsk } from "./plan.ts";

/** Replaces the model's name in the text of a body or chunk. `written` is the new name as JSON. */
export const renaming =
  ({ reply }: AnyProvider, written: string) =>
  (text: string): string =>
    (reply.model ?? []).reduce((out, path) => exchange(out, path, written), text);

/** The model's name to put into a relayed answer; undefined to keep the provider's. */
export const answerName = ({ model }: TextAsk, { resolution }: Plan): string | undefined =>
  resolution.model.answerName === "asked" ? model : undefined;
