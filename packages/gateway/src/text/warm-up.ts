import { writeFrame } from "@manifold-gateway/core";
import { isObject, run } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import type { GenerationService } from "../generation/services.ts";
import { toSeconds } from "../http/moments.ts";
import type { Context } from "../ports/context.ts";
import { startTrace } from "../routing/request-trace.ts";
import { findPayableRoute } from "./payable-route.ts";
import type { TextAsk } from "./plan.ts";

/** The events of an empty response: it only has an id, which the next request may continue. */
const nothing: Event[] = [
  { type: "start" },
  { type: "usage", usage: { input: 0, output: 0 } },
  { type: "finish", reason: "stop" },
];

/**
 * Answers a request that generates nothing with the events of an empty response. The same refusals apply as for the
 * generation.
 */
export async function warmUpText(
  context: Context<GenerationService>,
  ask: Pick<TextAsk, "codec" | "body" | "model">,
): Promise<undefined> {
  const { services, exchange, started } = context;
  const { codec, model } = ask;
  startTrace(context, model);
  await findPayableRoute(context, ask);
  const head = { id: services.id(), model, created: toSeconds(started) };
  const writer = codec.reply.encode(head, () => {});
  exchange.sink.head(200, { "content-type": "text/event-stream" });
  for (const event of run(writer, nothing))
    if (isObject(event)) exchange.sink.write(writeFrame(JSON.stringify(event)));
  exchange.sink.end();
}
