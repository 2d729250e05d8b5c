import { createFetchTransport, defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";
import { asks, type SurfaceName } from "./scripted.ts";

const text = "<think>\nHm, a greeting.\n</think>\n\nHello.";
const base = { id: "c", created: 1, model: "m" };
const whole = {
  ...base,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
};
const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
/** A stream in pieces, which cut both tags. */
const stream = [
  ...text.split(/(?<=<\/?t)/).map((content) => chunk({ content })),
  chunk({}, "stop"),
  "data: [DONE]\n\n",
].join("");

let h: Stage;
beforeAll(async () => {
  const answer = async (request: Request): Promise<Response> => {
    const isStream = ((await request.json()) as { stream?: boolean }).stream === true;
    const type = isStream ? "text/event-stream" : "application/json";
    return new Response(isStream ? stream : JSON.stringify(whole), { headers: { "content-type": type } });
  };
  const thinker = defineProvider("own", {
    origin: "http://own.test",
    speaks: ["chatstyle"],
    traits: { thoughtTag: "think" },
  });
  h = await startStage({
    listens: false,
    models: [model("thinker", "own")],
    providers: new Map([["own", thinker]]),
    transport: createFetchTransport({ fetch: answer }),
  });
});
afterAll(() => h.close());

/** Where each surface has thoughts, and that no part of a tag is anywhere. */
const thoughts: [SurfaceName, RegExp][] = [
  ["chatstyle", /"reasoning_content":"Hm/],
  ["responses", /"type":"reasoning"/],
  ["msgstyle", /"type":"thinking"/],
  ["genstyle", /"thought":true/],
];
describe.each(thoughts)("a model that thinks in its text, on %s", (name, member) => {
  it.each([false, true])("has thoughts apart from its answer (stream: %s)", async (isStream) => {
    const response = await h.call(...asks[name]("thinker", isStream));
    expect(response.status).toBe(200);
    const answer = await response.text();
    expect(answer).toMatch(member);
    expect(answer).toContain("greeting");
    expect(answer).toContain("Hello");
    expect(answer).not.toMatch(/think>|<th/);
  });
});
