import type { Head } from "@manifold-gateway/core";
import {
  type HeldReply,
  openHeldReply,
  openReply,
  type Reply,
  type ReplyOptions,
} from "@manifold-gateway/core/reply";
import { secretsOf } from "@manifold-gateway/providers";
import type { Work } from "./reply.ts";

type Options = Pick<ReplyOptions, "framing" | "unary" | "watch"> & {
  /** Default: the one of a unary reply. */
  head?: Head;
};

/** The options by which an answer is relayed: the model's name that it has, and the credentials to hide. */
export const relayOptions = ({ ask, plan }: Pick<Work, "ask" | "plan">) => ({
  name: plan.resolution.model.answerName === "asked" ? ask.model : undefined,
  secrets: () => secretsOf(plan.resolution.provider),
});

/** The same reply with a machine that holds events back. */
export function heldReply(
  work: Work,
  {
    head = work.head,
    framing,
    unary,
    watch,
    hold,
  }: Options & Pick<Parameters<typeof openHeldReply>[2], "hold">,
): HeldReply {
  const { context, plan } = work;
  const { protocols } = context.services;
  return openHeldReply(plan, head, { ...relayOptions(work), framing, unary, protocols, watch, hold });
}

/** The reply of an entry on its way to the caller. */
export function openedReply(work: Work, { head = work.head, framing, unary, watch }: Options = {}): Reply {
  const { context, plan } = work;
  const { protocols } = context.services;
  return openReply(plan, head, { ...relayOptions(work), framing, unary, protocols, watch });
}
