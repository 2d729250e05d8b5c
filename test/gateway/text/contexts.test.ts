import type { Observer } from "@manifold-gateway/gateway";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RequestContext } from "../../../packages/gateway/src/ports/context.ts";
import type { Surface } from "../../../packages/gateway/src/route.ts";
import { chatSurface } from "../../../packages/gateway/src/surfaces/chatstyle.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

/** Contexts with the members that each had when its handler began. */
const met: { context: RequestContext; members: string[] }[] = [];
/** The surface of chat, whose contexts are looked at. */
const watched: Surface = {
  ...chatSurface,
  name: "watched",
  prefix: "/api/watched",
  routes: chatSurface.routes.map((route) => ({
    ...route,
    handler(context, input) {
      met.push({ context, members: Object.keys(context) });
      return route.handler(context, input);
    },
  })),
};
const observer: Observer = { started: () => ({ firstByte() {}, settled() {} }) };

let h: Stage;
beforeAll(async () => {
  const embedder = model("embed-chat", "chatstyle", { outputModalities: ["embedding"] });
  h = await startStage({ surfaces: [watched], observer, models: [embedder] });
});
afterAll(() => h.close());
beforeEach(() => void met.splice(0));

const messages = [{ role: "user", content: "Hello" }];

test.each([
  ["an answer", "/v1/chat/completions", { model: "sim-chatstyle", messages }],
  ["a stream", "/v1/chat/completions", { model: "sim-chatstyle", messages, stream: true }],
  ["a translated stream", "/v1/chat/completions", { model: "sim-msgstyle", messages, stream: true }],
  ["an embedding", "/v1/embeddings", { model: "embed-chat", input: "Hello" }],
])("the context and the sink of %s hold no function, and get no new members", async (_, path, body) => {
  const response = await h.call(`/api/watched${path}`, body);
  expect(response.status).toBe(200);
  await response.text();
  const [{ context, members } = { context: undefined, members: [] }] = met;
  expect(members.length).toBeGreaterThan(0);
  expect(Object.keys(context ?? {})).toEqual(members);
  const functions = [context, context?.exchange.sink].flatMap((object) =>
    Object.entries(object ?? {}).filter(([, value]) => typeof value === "function"),
  );
  expect(functions).toEqual([]);
});
