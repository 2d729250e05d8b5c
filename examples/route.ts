/**
 * A web route: any vendor's SDK that is pointed to it gets the models that this server offers, by the server's own keys.
 * The framework is h3; others hand over a `Request` and take a `Response` in the same way.
 */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { createHandler } from "@manifold-gateway/client";
import { H3 } from "h3";
import OpenAI from "openai";
import { simulate } from "./support/simulated.ts";

const { simulated, simulator } = simulate();

const handler = createHandler({
  ...simulated,
  models: { fast: "mistral/mistral-small", best: ["openai/gpt-6-sol", "anthropic/claude-opus-4-7"] },
  authorize: (key) => key === "friends-key",
  hooks: {
    // A house rule, the same for every SDK and model.
    request: (request) => ({ ...request, params: { ...request.params, maxTokens: 500 } }),
  },
});

export const app = new H3().get("/hello", () => "my own route").all("/ai/**", (event) => handler(event.req));
// serve(app, { port: 3000 }), and anywhere: new OpenAI({ baseURL: "http://127.0.0.1:3000/ai/v1", apiKey })

const fetch = async (input: string | URL | Request, init?: RequestInit) =>
  app.fetch(new Request(input, init));
const apiKey = "friends-key";

const openai = new OpenAI({ baseURL: "http://localhost/ai/v1", apiKey, fetch });
const { data } = await openai.models.list();
assert.deepEqual(data.map(({ id }) => id).sort(), ["best", "fast"]);
const { output_text } = await openai.responses.create({ model: "fast", input: "Hello [[text:Good day]]" });
assert.equal(output_text, "Good day");

const anthropic = new Anthropic({ baseURL: "http://localhost/ai", apiKey, fetch });
const { content } = await anthropic.messages.create({
  model: "best",
  max_tokens: 100,
  messages: [{ role: "user", content: "Hello [[text:Good evening]]" }],
});
assert.deepEqual(content[0]?.type === "text" && content[0].text, "Good evening");
assert.match(JSON.stringify(simulator.ledger.last()?.request), /"max_output_tokens":500/);

const stranger = new OpenAI({ baseURL: "http://localhost/ai/v1", apiKey: "stolen", fetch });
await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError);
console.log(output_text);
