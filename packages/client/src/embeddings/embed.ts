import { parseJson } from "@manifold-gateway/core/codec";
import {
  type EmbedCodec,
  embedCodecs,
  embedOperation,
  joinEmbed,
  operationEndpoint,
  separateProtocol,
  shortfall,
} from "@manifold-gateway/core/embeddings";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers/provider";
import { Calls } from "../calls/call-candidates.ts";
import type { Candidate } from "../models/candidate.ts";
import { candidatesOf } from "../models/candidates.ts";
import type { Entry } from "../models/entries.ts";
import { answerHeaders, ClientRefusal, failureResponse, finalHeaders } from "../reply/failure.ts";
import { refusedResponse } from "../reply/refused.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import { type EmbedCallPlan, EmbedPlanner } from "./plan-embed.ts";

/** The largest answer, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/** Creates embeddings: one vector for each input, in as many calls of one provider as that needs. */
export async function createEmbeddings(
  incoming: Incoming,
  services: Services,
  report: Report,
): Promise<Response> {
  const { body, model, id } = incoming;
  const codec = incoming.embedCodec ?? (embedCodecs[incoming.codec.protocol] as EmbedCodec);
  const candidates = await candidatesOf(incoming, services, (entry, provider) =>
    embedCandidate(entry, provider, codec),
  );
  const calls = new Calls<EmbedCallPlan>(incoming, services);
  const planner = new EmbedPlanner({ codec, model, value: body.value }, services.options);
  let answered = await calls.first(candidates, planner, report);
  const { plan } = answered;
  report.losses(plan.resolution, "request", plan.losses);
  const replies = [];
  for (const more of [...plan.more, undefined]) {
    if (answered.response.status >= 400)
      return refusedResponse(incoming, plan.resolution, answered.response, services);
    const bytes = await answered.response.body.bytes(LARGEST);
    replies.push(plan.upstream.reply.decode(parseJson(new TextDecoder().decode(bytes)) ?? null));
    if (more) answered = await calls.again(answered, more, report);
  }
  const reply = joinEmbed(replies);
  const missing = shortfall(plan.request, reply);
  if (missing)
    return failureResponse(incoming.codec, { ...missing, code: "provider_failed" }, id, finalHeaders);
  if (reply.usage) {
    const { videoInput: _, ...usage } = reply.usage;
    report.usage(plan.resolution, { ...usage, output: 0 });
  }
  const answer = codec.reply.encode(reply, { ...plan.request, model });
  // The vendor's answers have no id, but some SDKs of its wire demand one.
  const identified = codec.protocol === "chatstyle" ? { id, ...answer } : answer;
  return new Response(JSON.stringify(identified), { headers: answerHeaders(id, "application/json") });
}

/** An entry in the protocol in which its provider embeds: a service of its own, the caller's protocol, or the first. */
function embedCandidate(entry: Entry, provider: Provider, { protocol: caller }: EmbedCodec): Candidate {
  const spoken = Object.keys(provider.speaks) as UpstreamProtocol[];
  const able = spoken.filter((one) => embedCodecs[one]?.endpoint !== undefined);
  const protocol =
    separateProtocol(embedOperation, provider) ?? able.find((one) => one === caller) ?? able[0];
  if (protocol === undefined)
    throw new ClientRefusal(
      404,
      "model_not_found",
      `model: the provider '${provider.id}' serves no embeddings in the protocols that it is declared with.`,
      "model",
    );
  // A service of its own may have keys of its own.
  const served = operationEndpoint(embedOperation, provider, protocol).provider;
  return { id: `${provider.id}/${entry.name}`, entry, provider: served, protocol };
}
