import { show } from "../../capability/message-text.ts";
import type { Failure } from "../../ir/failure.ts";
import type { EmbedCodec } from "./codec.ts";
import type { EmbedReply, EmbedRequest, EmbedUsage } from "./ir.ts";

/** The request as calls of at most `most` inputs each, in order. */
export function splitEmbed(request: EmbedRequest, most: number): EmbedRequest[] {
  if (request.inputs.length <= most) return [request];
  const calls: EmbedRequest[] = [];
  for (let from = 0; from < request.inputs.length; from += most)
    calls.push({ ...request, batch: true, inputs: request.inputs.slice(from, from + most) });
  return calls;
}

/** The request as calls that a provider of this wire takes; of some providers, with at most `maxInputs` each. */
export const callsOf = (
  request: EmbedRequest,
  codec: Pick<EmbedCodec, "most" | "mostOf">,
  maxInputs = Number.POSITIVE_INFINITY,
): EmbedRequest[] => splitEmbed(request, Math.min(maxInputs, codec.mostOf?.(request) ?? codec.most));

/** The replies of split calls as one. Usage is only known if every reply has it. */
export function joinEmbed(replies: readonly EmbedReply[]): EmbedReply {
  const vectors = replies.flatMap((reply) => reply.vectors);
  const usages = replies.flatMap((reply) => reply.usage ?? []);
  const model = replies[0]?.model;
  return {
    vectors,
    ...(usages.length > 0 && usages.length === replies.length && { usage: usages.reduce(add) }),
    ...(model !== undefined && { model }),
  };
}

function add(a: EmbedUsage, b: EmbedUsage): EmbedUsage {
  const sum = { ...a };
  for (const key of Object.keys(b) as (keyof EmbedUsage)[]) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  return sum;
}

/** Finds what keeps a reply from holding one readable vector for each input. */
export function shortfall(request: EmbedRequest, reply: EmbedReply): Failure | undefined {
  const read = reply.vectors.filter((vector) => vector.length > 0).length;
  if (read === request.inputs.length && read === reply.vectors.length) return undefined;
  const message = `The provider returned ${read} vectors for ${request.inputs.length} inputs of the model ${show(request.model)}.`;
  return { kind: "unavailable", status: 502, message };
}
