import { assignId } from "../generation/generation.ts";
import type { GenerationService } from "../generation/services.ts";
import { storableText } from "../http/storable-body.ts";
import { streamHeaders } from "../http/stream.ts";
import { watchHold } from "../observe/observed-call.ts";
import type { KeptAnswer } from "../ports/answer-cache.ts";
import type { Opening } from "../ports/billing.ts";
import type { Answer, Context } from "../ports/context.ts";
import { traceHeaders } from "../routing/request-trace.ts";
import type { ReceivedText } from "../text/plan-text.ts";

const MILLION = 1_000_000;
/** No tokens are counted, because they were counted for the generation that made the answer. */
const nothing = { input: 0, output: 0 };

/**
 * Answers a request from the cache. It is a generation with a hold, a record and a charge; its price is the share of
 * the first answer's cost, for one request.
 */
export async function replay(
  context: Context<GenerationService>,
  { ask, trace }: ReceivedText,
  answer: KeptAnswer,
  share: number,
): Promise<Answer | undefined> {
  const { services, surface, options, caller, exchange, watch, slot } = context;
  const model = services.catalog.get(ask.model)?.id ?? ask.model;
  const cost = Math.ceil(answer.cost * share);
  const price = { requests: cost * MILLION };
  const opening: Opening = {
    ...{ id: assignId(context), caller, modality: "text", model, price, usage: nothing },
    ...{ request: storableText(ask.body), labels: options.labels, surface: surface.name },
  };
  const unwatched = await services.billing.hold(opening);
  const hold = watch ? watchHold(unwatched, opening, watch) : unwatched;
  trace.generation = opening.id;
  const age = Math.max(0, Math.floor((services.now() - answer.at) / 1000));
  const saved = answer.cost - cost;
  trace.cost = await hold.settle({
    status: exchange.sink.closed ? "aborted" : "succeeded",
    usage: nothing,
    durationMs: Math.round(services.steady() - context.began),
    route: { requestId: context.id, cache: { of: answer.generation, age, saved } },
  });
  await slot?.end(0);
  trace.cache = `hit; age=${age}; saved=${(saved / MILLION).toFixed(6)}`;
  watch?.cached?.({ saved });
  const { headers, body, encoding } = answer;
  if (!ask.stream)
    return {
      headers: { ...headers, ...traceHeaders(trace) },
      body: encoding === "latin1" ? Buffer.from(body, encoding) : body,
    };
  exchange.sink.head(200, { ...streamHeaders, ...headers, ...traceHeaders(trace) });
  exchange.sink.end(body, encoding);
  return undefined;
}
