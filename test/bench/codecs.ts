import { type AnyCodec, codecs, encodeRequest } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { translateChunks } from "@manifold-gateway/core/codec";
import { median } from "./load.ts";
import type { Report, Row } from "./report.ts";
import { bursts, chatRequest } from "./wires.ts";

const PROTOCOLS = ["chatstyle", "responses", "msgstyle", "genstyle"] as const;

/** Microseconds of one call, the median of several rounds. */
function time(work: () => unknown): number {
  const rounds: number[] = [];
  for (let round = 0; round < 7; round++) {
    let calls = 0;
    const began = performance.now();
    while (performance.now() - began < 40) {
      for (let i = 0; i < 20; i++) work();
      calls += 20;
    }
    rounds.push(((performance.now() - began) * 1000) / calls);
  }
  return median(rounds.slice(2));
}

function conversation(messages: number): JsonObject {
  const turns = Array.from({ length: messages }, (_, i) =>
    i % 2 === 0
      ? { role: "user", content: `Question ${i}: what is the weather like in city number ${i}, and why?` }
      : { role: "assistant", content: `Answer ${i}: it is sunny there, because the sky is clear today.` },
  );
  return { model: "bench", messages: turns.slice(0, messages), max_tokens: 512, temperature: 0.2 };
}

/** Every codec in each direction, over requests of 2 KB, 50 KB and 64 messages, and over 200 events. */
export function benchCodecs(report: Report): void {
  const requests: Record<string, JsonObject> = {
    "2 KB": JSON.parse(chatRequest({ bytes: 2_000 })) as JsonObject,
    "50 KB": JSON.parse(chatRequest({ bytes: 50_000 })) as JsonObject,
    "64 messages": conversation(63),
  };
  const all = codecs as unknown as Record<string, AnyCodec>;
  const chat = all.chatstyle as AnyCodec;
  const ways = PROTOCOLS.map((name): Row => {
    const codec = all[name] as AnyCodec;
    const cells = Object.entries(requests).map(([title, wire]) => {
      const own = encodeRequest(chat.request.decode(wire), codec).wire;
      const ir = codec.request.decode(own);
      const decode = time(() => codec.request.decode(own));
      const encode = time(() => encodeRequest(ir, codec));
      return `${title} ${decode.toFixed(1)} / ${encode.toFixed(1)}`;
    });
    return { target: name, value: cells.join(", ") };
  });
  report.add("codecs, µs a request (decode / encode)", ways);
  const events = (bursts.msgstyle ?? []).map(
    (frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as JsonObject,
  );
  const steps = PROTOCOLS.map((name): Row => {
    const micro = time(() => {
      const machine = translateChunks({
        from: all.msgstyle as AnyCodec,
        to: all[name] as AnyCodec,
        head: {
          id: "x",
          model: "bench",
          created: 0,
        },
      });
      for (const event of events) machine.step(event);
      machine.end();
    });
    return { target: name, value: (micro / events.length).toFixed(2) };
  });
  report.add("codecs, µs an event of a stream (from messages)", steps);
}
