/**
 * A worker: `export default { fetch }`, as workerd, Deno and Bun run it. `POST /summary` with a text streams its summary
 * as plain text. No SDK: requests are plain JSON, and the keys are bindings of the worker.
 */
import assert from "node:assert/strict";
import { createFetch } from "@manifold-gateway/client";
import { simulate } from "./support/simulated.ts";

const { simulated } = simulate();

type Env = Record<string, string>;

/** The words of a stream of messages, as they arrive. */
function wordsOf(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter((one) => one.startsWith("data: "))) {
        const { delta, error } = JSON.parse(line.slice(6));
        if (error) controller.error(new Error(error.message));
        else if (delta?.text) controller.enqueue(delta.text);
      }
    },
  });
}

const worker = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST" || pathname !== "/summary")
      return new Response("Not found", { status: 404 });
    const call = createFetch({ fetch: simulated.fetch, env });
    const answer = await call("https://any/v1/messages", {
      method: "POST",
      body: JSON.stringify({
        model: "google/gemini-3-flash",
        max_tokens: 500,
        stream: true,
        system: "Summarize what the user sends, in one sentence.",
        messages: [{ role: "user", content: await request.text() }],
      }),
      signal: request.signal, // a client that leaves ends the call
    });
    if (!answer.ok || !answer.body) return answer;
    const words = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(wordsOf());
    return new Response(words.pipeThrough(new TextEncoderStream()), {
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  },
};
export default worker;

const ask = (env: Env) =>
  worker.fetch(
    new Request("https://worker/summary", { method: "POST", body: "A long text [[text:A short one]]" }),
    env,
  );
assert.equal(await (await ask(simulated.env)).text(), "A short one");
const keyless = await ask({});
assert.equal(keyless.status, 401);
console.log(await keyless.text());
