import type { AnyCaller, Protocols } from "@manifold-gateway/core";
import { textCheck } from "@manifold-gateway/core/check";
import {
  CallerRequest,
  planRequest,
  Rejection,
  type RequestBody,
  type RequestPlan,
} from "@manifold-gateway/core/plan";
import type { Wire } from "@manifold-gateway/core/wire";
import {
  reframe,
  type Transport,
  UpstreamFault,
  type UpstreamResponse,
  upstreamHeaders,
} from "@manifold-gateway/providers";
import {
  type LearntTraits,
  learntSteps,
  traitsOf,
  verdictOfStatus,
} from "@manifold-gateway/providers/routing";
import { type Candidate, candidateFor } from "../models/candidate.ts";
import type { Entries } from "../models/entries.ts";
import type { AnyOptions } from "../options.ts";
import type { ProviderTable } from "../providers/provider-table.ts";
import { ClientRefusal } from "../reply/failure.ts";

/** A request as a client received it. */
export interface TextRequestCall {
  id: string;
  wire: Wire;
  codec: AnyCaller;
  body: RequestBody;
  model: string;
  header(name: string): string | undefined;
  signal: AbortSignal;
  /** The request and its answer are decoded and encoded, even if the provider speaks the caller's protocol. */
  rewritten?: true;
}

/** The answer of one candidate, with the plan of its request. */
export interface TextAnswer {
  candidate: Candidate;
  plan: RequestPlan;
  response: UpstreamResponse;
}

export interface TextServices {
  options: AnyOptions;
  entries: Entries;
  providers: ProviderTable;
  protocols: Protocols;
  learnt: LearntTraits;
  transport: Transport;
}

/** Calls the entries of a model in their order until one answers. Throws a refusal or a fault if none does. */
export async function callText(call: TextRequestCall, services: TextServices): Promise<TextAnswer> {
  const { codec, body, model, wire } = call;
  const entries = services.entries.of(model);
  const request = new CallerRequest({ codec, body, model, stream: wire.stream, edits: wire.edits });
  const reading = request.whole();
  if (reading instanceof Rejection) throw refusalOf(reading);
  let refusal: Rejection | undefined;
  let last: TextAnswer | unknown;
  for (const entry of entries) {
    const provider = services.providers.get(entry.provider);
    const candidate = candidateFor(entry, provider, request, services);
    const plan = planFor(request, candidate, services);
    if (plan instanceof Rejection) {
      refusal ??= plan;
      continue;
    }
    try {
      const response = await send(call, candidate, plan, services.transport);
      const answer = { candidate, plan: call.rewritten ? { ...plan, translated: true } : plan, response };
      const { charged, elsewhere } = verdictOfStatus(response.status);
      if (response.status < 400 || !elsewhere || charged === "perhaps") return answer;
      last = answer;
    } catch (error) {
      if (call.signal.aborted || !(error instanceof UpstreamFault)) throw error;
      last = error;
    }
  }
  if (last === undefined) throw refusalOf(refusal as Rejection);
  if (last instanceof Error) throw last;
  return last as TextAnswer;
}

function planFor(
  request: CallerRequest,
  candidate: Candidate,
  { options: { losses, check = true }, protocols }: TextServices,
): RequestPlan | Rejection {
  const { entry, provider, protocol, learnt } = candidate;
  return planRequest(
    request,
    {
      codec: protocols.codecs[protocol],
      model: entry.name,
      traits: traitsOf(entry, provider, protocol, learnt),
      learnt: learnt && learntSteps(candidate, learnt),
      capabilities: check ? entry.capabilities : undefined,
      edits: provider.speaks[protocol]?.platform?.edits,
    },
    {
      capabilityCheck: textCheck,
      rules: losses === "refuse" ? { all: 'the option `losses` is "refuse"' } : undefined,
    },
  );
}

async function send(
  { wire, header, signal }: TextRequestCall,
  { provider, protocol, entry }: Candidate,
  { body, upstream }: RequestPlan,
  transport: Transport,
): Promise<UpstreamResponse> {
  const { base = "", platform, framing } = provider.speaks[protocol] ?? {};
  const headers = upstreamHeaders(provider, protocol, wire.stream, header);
  if (framing && wire.stream) headers.accept = framing.contentType;
  const response = await transport.send({
    origin: provider.origin,
    path: base + (platform ?? upstream).endpoint(encodeURIComponent(entry.name), wire.stream),
    method: "POST",
    headers,
    body,
    signal,
    ...provider.timeouts,
  });
  return framing && wire.stream ? reframe(response, framing) : response;
}

const refusalOf = ({ code, message, param }: Rejection): ClientRefusal =>
  new ClientRefusal(code === "body_too_large" ? 413 : 400, code, message, param);
