import {
  type AnyCodec,
  checkEmbed,
  codecs,
  collectLosses,
  type EmbedCodec,
  type EmbedReply,
  type EmbedRequest,
  embedCodecs,
  everyMedia,
  joinEmbed,
  type Protocol,
  parseJson,
  shortfall,
  splitEmbed,
} from "@manifold/core";
import { type UpstreamResponse, upstreamHeaders } from "@manifold/providers";
import type { Outcome } from "./billing.ts";
import { type Resolution, resolve } from "./catalog.ts";
import type { Answer, Context } from "./context.ts";
import type { JsonBody } from "./http/body.ts";
import { quote, Refusal } from "./http/refusal.ts";
import { issuesOf } from "./issues.ts";
import { faultRefusal, refused } from "./text/answer.ts";
import { storable } from "./text/storable.ts";
import { inputBound, inputEstimate } from "./text/tokens.ts";

export interface EmbedAsk {
  /** The caller's wire. */
  codec: EmbedCodec;
  body: JsonBody;
  /** As the caller named it. */
  model: string;
}

const speaksEmbeddings = (protocol: Protocol): boolean => embedCodecs[protocol]?.endpoint !== undefined;

/** One embedding request: checked, held for, called in as many parts as the provider wants, settled, answered. */
export async function embed(context: Context, ask: EmbedAsk): Promise<Answer> {
  const { services } = context;
  const resolution = resolve(
    services.catalog,
    services.providers,
    ask.model,
    ask.codec.protocol,
    speaksEmbeddings,
  );
  const upstream = embedCodecs[resolution.protocol] as EmbedCodec;
  const request = read(ask, resolution, upstream);
  const calls = splitEmbed(request, upstream.most).map((part) =>
    write(part, upstream, resolution, ask.model),
  );
  const id = services.id();
  context.generation = id;
  const hold = await services.billing.hold({
    id,
    caller: context.caller,
    modality: "text",
    model: ask.model,
    request: storable(ask.body),
    price: resolution.price,
    usage: { input: inputBound(ask.body.value), output: 0 },
  });
  const { entry, provider, protocol } = resolution;
  const settle = (status: Outcome["status"], usage?: Outcome["usage"]): Promise<void> =>
    hold.settle({
      status,
      durationMs: services.now() - context.started,
      route: { provider: provider.id, name: entry.name, protocol },
      ...(usage && { usage }),
    });
  const headers = { "x-generation-id": id };
  const replies: EmbedReply[] = [];
  for (const call of calls) {
    let response: UpstreamResponse;
    try {
      response = await send(context, resolution, upstream, call);
      if (response.status < 400) {
        const bytes = await response.body.bytes(services.limits.answer);
        replies.push(upstream.reply.decode(parseJson(new TextDecoder().decode(bytes)) ?? null));
        continue;
      }
    } catch (error) {
      await settle("failed");
      throw faultRefusal(error, headers);
    }
    const from = codecs[protocol] as AnyCodec;
    const to = codecs[ask.codec.protocol] as AnyCodec;
    return refused(response, services.limits.answer, from, to, () => settle("failed"), headers, provider.key);
  }
  const reply = joinEmbed(replies);
  const missing = shortfall(request, reply);
  if (missing) {
    await settle("failed");
    throw new Refusal(502, missing.message, { headers });
  }
  const counted = reply.usage ?? { input: inputEstimate(ask.body.value), estimated: true };
  const { videoInput: _, ...usage } = { ...counted, output: 0 } as Outcome["usage"] & { videoInput?: number };
  await settle(context.exchange.sink.closed ? "aborted" : "succeeded", usage);
  return {
    headers,
    body: ask.codec.reply.encode({ ...reply, usage: counted }, { ...request, model: ask.model }),
  };
}

/** The canonical request, or a 400 for every rule that it does not meet. */
function read(ask: EmbedAsk, { model }: Resolution, upstream: EmbedCodec): EmbedRequest {
  const value = { ...ask.body.value, model: ask.model };
  const parsed = ask.codec.request.schema.safeParse(value);
  if (!parsed.success) throw new Refusal(400, issuesOf(parsed.error, ask.model));
  const origins = new Map<object, string>();
  const request = ask.codec.request.decode(value, (node, pointer) => void origins.set(node, pointer));
  // Whoever takes more than text takes every kind that embeddings know.
  const media = model.inputModalities.some((modality) => modality !== "text") ? everyMedia : {};
  const issues = checkEmbed(request, { ...media, tokens: upstream.tokens }, { origins });
  if (issues.length > 0)
    throw new Refusal(
      400,
      issues.map(({ message }) => message),
    );
  return request;
}

/** The body of one upstream call. A loss among the inputs would make a vector of something else. */
function write(request: EmbedRequest, upstream: EmbedCodec, { entry }: Resolution, model: string) {
  // Who the end user is stays between the caller and us.
  const { user: _, ...rest } = request;
  const named = { ...rest, model: entry.name };
  const { losses, lose } = collectLosses();
  const body = upstream.request.encode(named, lose);
  const lost = losses.filter(({ path, why }) => why === "unsupported" && path.startsWith("/inputs"));
  if (lost.length > 0)
    throw new Refusal(
      400,
      lost.map(
        ({ path, detail }) =>
          `${path.slice(1).replaceAll("/", ".")}: the model ${quote(model)} cannot take it${detail ? `: ${detail}` : ""}.`,
      ),
    );
  return { body: JSON.stringify(body), path: upstream.endpoint?.(named) ?? "" };
}

function send(
  { services, exchange }: Context,
  { provider, protocol }: Resolution,
  upstream: EmbedCodec,
  call: { body: string; path: string },
): Promise<UpstreamResponse> {
  return services.transport.send({
    origin: provider.origin,
    path: (provider.speaks[protocol]?.base ?? "") + call.path,
    method: "POST",
    headers: upstreamHeaders(provider, upstream.protocol as typeof protocol, false, (name) =>
      exchange.header(name),
    ),
    body: call.body,
    ...provider.timeouts,
  });
}
