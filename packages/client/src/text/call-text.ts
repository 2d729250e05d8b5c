import { type AnyCodec, protocols } from "@manifold-gateway/core";
import {
  CallerRequest,
  planRequest,
  Rejection,
  type RequestBody,
  type RequestPlan,
} from "@manifold-gateway/core/plan";
import type { Wire } from "@manifold-gateway/core/wire";
import {
  knownTraits,
  type Provider,
  reframe,
  type Transport,
  UpstreamFault,
  type UpstreamProtocol,
  type UpstreamResponse,
  upstreamHeaders,
} from "@manifold-gateway/providers";
import { targetsOf } from "../models/models.ts";
import type { AnyOptions, TargetOptions } from "../options.ts";
import type { ProviderTable } from "../providers/provider-table.ts";
import { ClientRefusal } from "../reply/failure.ts";

/** A request as a client received it. */
export interface TextRequestCall {
  id: string;
  wire: Wire;
  codec: AnyCodec;
  body: RequestBody;
  model: string;
  header(name: string): string | undefined;
  signal: AbortSignal;
}

/** A model of a provider, in the protocol in which it is called. */
export interface TextTarget {
  provider: Provider;
  protocol: UpstreamProtocol;
  /** The provider's name for the model. */
  name: string;
}

/** The answer of one target, with the plan of its request. */
export interface TextAnswer {
  target: TextTarget;
  plan: RequestPlan;
  response: UpstreamResponse;
}

export interface TextServices {
  options: AnyOptions;
  providers: ProviderTable;
  transport: Transport;
}

/** Calls the targets of a model in their order until one answers. Throws a refusal or a fault if none does. */
export async function callText(call: TextRequestCall, services: TextServices): Promise<TextAnswer> {
  const { codec, body, model, wire } = call;
  const targets = targetsOf(model, services.options.models ?? {}, services.providers);
  const request = new CallerRequest({ codec, body, model, stream: wire.stream, edits: wire.edits });
  const reading = request.whole();
  if (reading instanceof Rejection) throw refusalOf(reading);
  let refusal: Rejection | undefined;
  let last: TextAnswer | unknown;
  for (const options of targets) {
    const target = resolve(options, codec, services.providers);
    const plan = planFor(request, target, options, services.options);
    if (plan instanceof Rejection) {
      refusal ??= plan;
      continue;
    }
    try {
      const response = await send(call, target, plan, services.transport);
      const answer = { target, plan, response };
      if (response.status < 400 || !isElsewhere(response.status)) return answer;
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

/** Statuses with which nothing was generated, and with which another target may still answer. */
const isElsewhere = (status: number): boolean => [401, 402, 403, 404, 405, 429, 503, 529].includes(status);

function resolve({ target }: TargetOptions, codec: AnyCodec, providers: ProviderTable): TextTarget {
  const at = target.indexOf("/");
  const provider = providers.get(target.slice(0, at));
  const spoken = Object.keys(provider.speaks) as UpstreamProtocol[];
  const protocol = spoken.find((one) => one === codec.protocol) ?? spoken[0];
  if (protocol === undefined)
    throw new ClientRefusal(
      404,
      "model_not_found",
      `model: the provider '${provider.id}' serves no text.`,
      "model",
    );
  return { provider, protocol, name: target.slice(at + 1) };
}

function planFor(
  request: CallerRequest,
  { provider, protocol, name }: TextTarget,
  { traits, capabilities }: TargetOptions,
  { losses }: AnyOptions,
): RequestPlan | Rejection {
  const speech = provider.speaks[protocol];
  return planRequest(
    request,
    {
      codec: protocols.codecs[protocol],
      model: name,
      traits: {
        ...knownTraits(name),
        ...speech?.serverTraits,
        ...provider.traits,
        ...speech?.traits,
        ...traits,
      },
      capabilities,
      edits: speech?.platform?.edits,
    },
    losses === "refuse" ? { rules: { all: 'the option `losses` is "refuse"' } } : {},
  );
}

async function send(
  { wire, header, signal }: TextRequestCall,
  { provider, protocol, name }: TextTarget,
  { body, upstream }: RequestPlan,
  transport: Transport,
): Promise<UpstreamResponse> {
  const { base = "", platform, framing } = provider.speaks[protocol] ?? {};
  const headers = upstreamHeaders(provider, protocol, wire.stream, header);
  if (framing && wire.stream) headers.accept = framing.contentType;
  const response = await transport.send({
    origin: provider.origin,
    path: base + (platform ?? upstream).endpoint(encodeURIComponent(name), wire.stream),
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
