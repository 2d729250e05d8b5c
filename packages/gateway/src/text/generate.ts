import { type Head, type Json, parseJson, run } from "@manifold/core";
import { type UpstreamResponse, upstreamHeaders } from "@manifold/providers";
import type { Hold, Outcome } from "../billing.ts";
import { resolve } from "../catalog.ts";
import type { Answer, Context } from "../context.ts";
import { faultRefusal, refused } from "./answer.ts";
import { checkpoints } from "./checkpoints.ts";
import { drive } from "./drive.ts";
import { eventStream } from "./framing.ts";
import { type Plan, planText, type TextAsk } from "./plan.ts";
import { type Framing, MalformedReply } from "./pump.ts";
import { relayPump } from "./relay.ts";
import { storable } from "./storable.ts";
import { billable, inputBound } from "./tokens.ts";
import { translatePump, watchEvents } from "./translate.ts";

/** The output that is held for where the caller set no limit, in tokens, and the most that is held for. */
const OUTPUT_BOUND = 8_192;

/** How one surface wants its stream written. */
export interface StreamStyle {
  /** Other frames than server-sent events. */
  framing?: Framing;
  headers?: Record<string, string>;
}

/**
 * One text generation, from a checked request to its settlement. Whatever happens after the hold, it is settled
 * exactly once, and the end of the answer goes out only after that.
 */
export function generateText(
  context: Context,
  ask: TextAsk,
  style: StreamStyle = {},
): Promise<Answer | undefined> {
  const work = () => generate(context, ask, style);
  return ask.stream ? context.services.streams.run(context.caller, work) : work();
}

async function generate(context: Context, ask: TextAsk, style: StreamStyle): Promise<Answer | undefined> {
  const { services } = context;
  const resolution = resolve(services.catalog, services.providers, ask.model, ask.codec.protocol);
  const plan = planText(ask, resolution);
  const id = services.id();
  context.generation = id;
  const hold = await services.billing.hold({
    id,
    caller: context.caller,
    modality: "text",
    model: ask.model,
    request: storable(ask.body),
    price: resolution.price,
    usage: { input: inputBound(ask.body.value), output: outputBound(ask, plan) },
  });
  const settle = settler(context, hold, plan);
  const headers = { "x-generation-id": id, ...lossHeader(plan) };
  let response: UpstreamResponse;
  try {
    response = await call(context, plan, ask.stream);
  } catch (error) {
    await settle("failed");
    throw faultRefusal(error, headers);
  }
  if (response.status >= 400)
    return refused(
      response,
      services.limits.answer,
      plan.upstream,
      ask.codec,
      () => settle("failed"),
      headers,
      resolution.provider.key,
    );
  const head: Head = {
    id,
    model: ask.model,
    created: Math.floor(context.started / 1000),
    ...(plan.request && { request: plan.request }),
  };
  if (!ask.stream) return whole(response, context, ask, plan, settle, head, headers);
  const framing = style.framing ?? eventStream;
  const pump = plan.translated
    ? translatePump(plan.upstream, ask.codec, head, plan.restore, framing)
    : relayPump(ask.codec, style.framing);
  const used = (): Outcome["usage"] | undefined => billable(pump.observation(), ask.body.value);
  await drive(response.body, context.exchange.sink, pump, {
    limits: services.limits,
    head: {
      "content-type": framing.contentType,
      "cache-control": "no-cache, no-transform",
      connection: "keep-alive",
      ...style.headers,
      ...headers,
    },
    fail: (error) => faultRefusal(error, headers),
    early: plan.translated
      ? (failure) => {
          const { status, body } = ask.codec.failure.encode(failure);
          return {
            status,
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify(body),
          };
        }
      : undefined,
    progress: checkpoints(context, hold, used),
    settle: (status) => settle(status, used()),
  });
  return undefined;
}

type Settle = (status: Outcome["status"], usage?: Outcome["usage"]) => Promise<void>;

function settler({ services, started }: Context, hold: Hold, { resolution }: Plan): Settle {
  const { entry, provider, protocol } = resolution;
  const route = { provider: provider.id, name: entry.name, protocol };
  return (status, usage) =>
    hold.settle({ status, durationMs: services.now() - started, route, ...(usage && { usage }) });
}

function outputBound(ask: TextAsk, { resolution, request }: Plan): number {
  const value = ask.body.value;
  const asked =
    request?.params.maxTokens ?? value.max_completion_tokens ?? value.max_tokens ?? value.max_output_tokens;
  const most = resolution.entry.traits?.maxOutput ?? OUTPUT_BOUND;
  return Math.min(typeof asked === "number" && asked > 0 ? asked : most, OUTPUT_BOUND);
}

function call({ services, exchange }: Context, plan: Plan, stream: boolean): Promise<UpstreamResponse> {
  const { provider, protocol, entry } = plan.resolution;
  const { base } = provider.speaks[protocol] ?? { base: "" };
  return services.transport.send({
    origin: provider.origin,
    path: base + plan.upstream.endpoint(encodeURIComponent(entry.name), stream),
    method: "POST",
    headers: upstreamHeaders(provider, protocol, stream, (name) => exchange.header(name)),
    body: plan.body,
    ...provider.timeouts,
  });
}

/** A unary reply: handed on as it came, or translated; settled before it is answered. */
async function whole(
  response: UpstreamResponse,
  context: Context,
  ask: TextAsk,
  plan: Plan,
  settle: Settle,
  head: Head,
  headers: Record<string, string>,
): Promise<Answer> {
  const { sink } = context.exchange;
  const left = (): Outcome["status"] => (sink.closed ? "aborted" : "succeeded");
  let text: string;
  try {
    text = new TextDecoder().decode(await response.body.bytes(context.services.limits.answer));
  } catch (error) {
    await settle("failed");
    throw faultRefusal(error, headers);
  }
  const body: Json | undefined = parseJson(text);
  const { watch, observation } = watchEvents();
  const events =
    typeof body === "object" && body !== null
      ? run(plan.upstream.reply.decode(), plan.upstream.reply.burst(body)).flatMap((event) =>
          plan.restore.step(event),
        )
      : [];
  events.push(...plan.restore.end());
  for (const event of events) watch(event);
  const usage = billable(observation, ask.body.value);
  if (observation.failure || events.length === 0) {
    await settle("failed", usage);
    if (!observation.failure || observation.failure.status === 502)
      throw faultRefusal(new MalformedReply(), headers);
    const { status, body: error } = ask.codec.failure.encode(observation.failure);
    return { status, headers, body: error };
  }
  await settle(left(), usage);
  if (!plan.translated) return { headers, body: text };
  return {
    headers,
    body: ask.codec.reply.gather(
      run(
        ask.codec.reply.encode(head, () => {}),
        events,
      ),
    ),
  };
}

/** The losses of a request in one header: where, and why. Long lists are cut; the record has them all. */
function lossHeader({ losses }: Plan): Record<string, string> {
  if (losses.length === 0) return {};
  const list = losses.map((loss) => `${encodeURI(loss.path)};${loss.why}`);
  const text = list.join(", ");
  return {
    "x-losses": text.length <= 1024 ? text : `${text.slice(0, text.lastIndexOf(",", 1000))}, …${list.length}`,
  };
}
