import { codecs, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import type { Message, Protocol, ReasoningPart } from "@manifold-gateway/core/ir";
import { describe, expect, it } from "vitest";

const user: Message = { role: "user", parts: [{ type: "text", text: "go on" }] };
const text = { type: "text", text: "a" } as const;
const { msgstyle, responses, conversestyle, genstyle, chatstyle } = codecs;

describe.each([msgstyle, responses, conversestyle])("thoughts in turns for $protocol", (codec) => {
  const protocol: Protocol = codec.protocol;
  const thought: ReasoningPart = { type: "reasoning", text: "t", seal: { protocol, value: "AAAA" } };
  const turn = (...parts: (ReasoningPart | typeof text)[]): Message => ({ role: "assistant", parts });
  const lossesOf = (...messages: Message[]) => {
    const request: TextRequest = { model: "m", stream: false, params: { maxTokens: 99 }, messages };
    const { wire, losses } = encodeRequest(request, codec, { reasoningBack: true });
    const sealed = JSON.stringify(wire).split("AAAA").length - 1;
    return { sealed, lost: losses.map(({ path }) => path) };
  };

  it("stay where something of the turn follows", () => {
    expect(lossesOf(user, turn(thought, text), user)).toEqual({ sealed: 1, lost: [] });
    expect(lossesOf(user, turn(thought), turn(text), user)).toEqual({ sealed: 1, lost: [] });
  });

  it("are left out of an answer that was broken off", () => {
    expect(lossesOf(user, turn(thought), user)).toEqual({ sealed: 0, lost: ["/messages/1/parts/0"] });
    expect(lossesOf(user, turn(text, thought), user)).toEqual({ sealed: 0, lost: ["/messages/1/parts/1"] });
    expect(lossesOf(user, turn(text), turn(thought))).toEqual({ sealed: 0, lost: ["/messages/2/parts/0"] });
  });
});

it.each([genstyle, chatstyle])("thoughts may end a turn of $protocol", ({ facts }) => {
  expect(facts.refusesLastThoughts).toBeUndefined();
});
