import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";
import { call, messagesOf, model, partsOf, result, user } from "./genstyle-kit.ts";

const say = (text: string): JsonObject => user({ text });
const first = model(call("f", { n: 1 }));
const second = model(call("f", { n: 2 }));
const answer = user(result("f", { ok: true }));

/** The arguments of the call that each result answers. */
function answered(...contents: JsonObject[]): unknown[] {
  const parts = partsOf(...contents) as { type: string; id?: string; arguments?: string }[];
  return parts.flatMap((part) =>
    part.type === "result"
      ? [parts.find(({ type, id }) => type === "call" && id === part.id)?.arguments]
      : [],
  );
}
const one = JSON.stringify({ n: 1 });
const two = JSON.stringify({ n: 2 });

describe("results without ids", () => {
  test("results without ids answer the call that was made after the user cancelled another one", () => {
    expect(answered(say("Do 1."), first, say("Never mind, do 2."), second, answer)).toEqual([two]);
  });
  test("results without ids answer calls in their order where each call is a content of its own", () => {
    const both = user(result("f", { n: 1 }), result("f", { n: 2 }));
    expect(answered(say("Both."), first, model({ text: "and" }), second, both)).toEqual([one, two]);
    expect(answered(say("Both."), first, user(), second, both)).toEqual([one, two]);
  });
  test("results without ids answer the call before words of the user that no other call followed", () => {
    expect(answered(say("Do 1."), first, say("Here it is:"), answer)).toEqual([one]);
    expect(answered(say("Do 1."), first, say("Wait."), model({ text: "Yes?" }), answer)).toEqual([one]);
  });
  test("every call has an id of its own, also the cancelled one", () => {
    const calls = messagesOf(say("Do 1."), first, say("Do 2."), second, answer).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "call" ? [part.id] : [])),
    );
    expect(new Set(calls).size).toBe(2);
  });
});

test("a result with an id answers its call across words of the user", () => {
  const contents = [model(call("f", { n: 1 }, "a")), say("Go on."), model(call("f", { n: 2 }, "b"))];
  expect(answered(say("Hi."), ...contents, user(result("f", {}, "a")))).toEqual([one]);
});
