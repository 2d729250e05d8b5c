import type { Head } from "../codec/caller-codec.ts";
import type { Machine } from "../codec/machine.ts";
import type { Event } from "../ir/index.ts";
import type { RequestPlan } from "../plan/request-plan.ts";
import { RelayedReply } from "./relayed-reply.ts";
import type { HeldReply, Reply, ReplyOptions } from "./reply.ts";
import { TranslatedReply } from "./translated-reply.ts";

/** What a planned request says of the reply to it. */
export type PlannedReply = Pick<
  RequestPlan<unknown>,
  "caller" | "upstream" | "translated" | "restore" | "request" | "answerSchema"
>;

/**
 * Opens the reply to a planned request, relayed or translated as the plan says. `head` has the facts that the caller's
 * protocol writes into it.
 *
 *     const reply = openReply(plan, { id: "1", model: "best", created: 1_700_000_000 });
 *     for await (const bytes of stream) write(reply.push(bytes)); // of the provider's answer
 *     write(reply.finish());
 *
 * A unary body that answers a request for a stream is made a stream (`unary`).
 */
export function openReply(
  plan: PlannedReply,
  head: Head,
  options: Omit<ReplyOptions, "restore" | "answerSchema"> = {},
): Reply {
  const { caller, upstream, translated } = plan;
  if (!translated && !options.unary) return new RelayedReply(upstream, caller, head, options);
  return translatedReply(plan, head, options);
}

/**
 * Opens a reply whose events pass a machine on their way, which may hold some back: `release` writes them later. It is
 * written in the caller's protocol, and not relayed.
 */
export function openHeldReply(
  plan: PlannedReply,
  head: Head,
  options: Omit<ReplyOptions, "restore" | "answerSchema"> & { hold: Machine<Event, Event> },
): HeldReply {
  return translatedReply(plan, head, options);
}

function translatedReply(
  plan: PlannedReply,
  head: Head,
  options: Omit<ReplyOptions, "restore" | "answerSchema">,
): TranslatedReply {
  const { caller, upstream, request, answerSchema } = plan;
  const whole = request ? { ...head, request } : head;
  return new TranslatedReply(upstream, caller, whole, {
    ...options,
    answerSchema,
    restore: plan.restore?.(),
  });
}
