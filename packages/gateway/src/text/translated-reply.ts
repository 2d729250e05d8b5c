import { type Head, type ReplyOptions, TranslatedReply } from "@manifold-gateway/core";
import { secretsOf } from "@manifold-gateway/providers";
import { type Hide, hideSecrets, hidingFailures } from "../generation/hide-secrets.ts";
import type { Work } from "./reply.ts";

type Options = Pick<ReplyOptions, "frame" | "unary"> & {
  /** Default: the one of a unary reply. */
  head?: Head;
};

/** Hides the credentials of the provider that answers. */
export const hideOf = ({ plan }: Pick<Work, "plan">): Hide =>
  hideSecrets(secretsOf(plan.resolution.provider));

/** The reply for a caller of another protocol. */
export function translatedReply(work: Work, { head = work.head, ...options }: Options = {}): TranslatedReply {
  const { context, ask, plan } = work;
  return new TranslatedReply(plan.upstream, ask.codec, head, {
    ...options,
    restore: hidingFailures(hideOf(work), plan.restore?.()),
    protocols: context.services.protocols,
  });
}
