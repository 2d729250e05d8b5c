import { type AnyCodec, exchange } from "@manifold-gateway/core";
import type { Plan, TextAsk } from "./plan.ts";

/** Exchanges the name of the model in the text of a body or chunk for another, which is JSON text. */
export const renaming =
  ({ reply }: AnyCodec, written: string) =>
  (text: string): string =>
    (reply.model ?? []).reduce((out, path) => exchange(out, path, written), text);

/** The name that an answer is to have which is passed on; nothing where it keeps the provider's. */
export const answerName = ({ model }: TextAsk, { resolution }: Plan): string | undefined =>
  resolution.model.answerName === "asked" ? model : undefined;
