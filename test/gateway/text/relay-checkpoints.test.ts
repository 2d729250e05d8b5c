import { type AnyCodec, chatstyle } from "@manifold-gateway/core";
import { expect, it } from "vitest";
import { relayOf } from "../../support/relay.ts";

const frame = (chunk: object): string => `data: ${JSON.stringify({ id: "c", model: "m", ...chunk })}\n\n`;
const STREAM = [
  frame({ choices: [{ index: 0, delta: { role: "assistant", content: "some" } }] }),
  frame({ choices: [{ index: 0, delta: { content: " words" } }] }),
  frame({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  frame({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 } }),
  "data: [DONE]\n\n",
];

it.each(STREAM.map((_, at) => at))(
  "the relay reports what it has counted after a checkpoint at piece %i",
  (at) => {
    const pump = relayOf(chatstyle as AnyCodec);
    let out = "";
    for (const [index, piece] of STREAM.entries()) {
      out += pump.push(Buffer.from(piece));
      if (index === at) pump.observation();
    }
    expect(out + pump.finish()).toBe(STREAM.join(""));
    const { usage, finish, failure } = pump.observation();
    expect({ usage, finish: finish?.reason, failure }).toMatchObject({
      usage: { input: 7, output: 5 },
      finish: "stop",
      failure: undefined,
    });
  },
);
