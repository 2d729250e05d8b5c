import { createServer } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const reply = {
  candidates: [{ content: { role: "model", parts: [{ text: "Hi." }] }, finishReason: "STOP" }],
  totalTokens: 3,
};
const seen: unknown[] = [];
const server = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request) text += piece;
  seen.push(JSON.parse(text));
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
});
let h: Stage;
beforeAll(async () => {
  const { origin } = await listen(server);
  const entries = [{ provider: "p", name: "its-own", priority: 1, isActive: true, price }];
  h = await startStage({
    models: [model("ours", "p", { entries })],
    providers: new Map([["p", defineProvider("p", { origin, speaks: ["genstyle"] })]]),
  });
});
afterAll(async () => {
  await h.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => void seen.splice(0));

const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
const path = (verb: string): string => `/api/genstyle/v1beta/models/ours:${verb}`;

it.each(["generateContent", "countTokens"])(
  "a body that names its model beside the path gets the provider's name as it was spelled: %s",
  async (verb) => {
    for (const [sent, got] of [
      ["models/ours", "models/its-own"],
      ["ours", "its-own"],
    ]) {
      expect((await h.call(path(verb), { model: sent, contents })).status).toBe(200);
      expect(seen.pop()).toEqual({ model: got, contents });
    }
  },
);

it.each(["generateContentRequest", "generate_content_request"])(
  "a request that is to be counted as a whole names the provider's model: %s",
  async (member) => {
    await h.call(path("countTokens"), { [member]: { model: "models/ours", contents } });
    expect(seen).toEqual([{ [member]: { model: "models/its-own", contents } }]);
  },
);

it("contents that are plain text are counted as they are generated from", async () => {
  await h.call(path("countTokens"), { contents: "Hello" });
  expect(seen).toEqual([{ contents }]);
});
