import type { AnyCodec } from "@manifold-gateway/core";
import { isObject, type JsonObject, run } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";

/** The events of a response that generates nothing on request: it only has an id, which the next may continue. */
export function warmupOf(codec: AnyCodec, id: string, model: string, at: number): JsonObject[] {
  const head = { id, model, created: Math.floor(at / 1000) };
  const events: Event[] = [
    { type: "start" },
    { type: "usage", usage: { input: 0, output: 0 } },
    { type: "finish", reason: "stop" },
  ];
  return run(
    codec.reply.encode(head, () => {}),
    events,
  ).filter(isObject);
}
