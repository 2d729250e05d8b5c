import {
  type AnyCodec,
  codecs,
  encodeRequest,
  type Protocol,
  type TextRequest,
} from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import type { Event, Part } from "@manifold-gateway/core/ir";
import { expect, test } from "vitest";
import { asked } from "./text-request.ts";

/** More than a function takes as arguments. */
const MANY = 130_000;
const wires = Object.entries(codecs) as [Protocol, AnyCodec][];

test.each(wires)("a reply with very many tokens is written by %s", (_, codec) => {
  const tokens = Array.from({ length: MANY }, () => ({ token: "a", logprob: -1 }));
  const reply: Event[] = [
    { type: "start" },
    { type: "open", index: 0, part: { type: "text" } },
    { type: "delta", index: 0, text: "a" },
    { type: "logprobs", index: 0, tokens },
    { type: "close", index: 0 },
    { type: "finish", reason: "stop" },
  ];
  const chunks = run(
    codec.reply.encode({ id: "x", model: "m", created: 1 }, () => {}),
    reply,
  );
  const arrived = run(codec.reply.decode(), chunks);
  expect(arrived.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
});

test.each(wires)("a request with very many parts is written and read by %s", (_, codec) => {
  const parts = Array.from({ length: MANY }, () => ({ type: "text" as const, text: "a" }));
  const request: TextRequest = asked([
    { role: "system", parts },
    { role: "user", parts },
    { role: "assistant", parts },
  ]);
  const { wire } = encodeRequest(request, codec);
  const { messages } = codec.request.decode(wire);
  const said = messages
    .flatMap((message): readonly Part[] => message.parts)
    .map((part) => (part.type === "text" ? part.text.replaceAll("\n", "") : ""))
    .join("");
  expect(said).toHaveLength(3 * MANY);
});
