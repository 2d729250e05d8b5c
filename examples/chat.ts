/**
 * A chat in the terminal: one vendor's SDK, another vendor's models, and a second model where the first fails. Without
 * a terminal it says two sentences by itself.
 */
import assert from "node:assert/strict";
import { createInterface } from "node:readline/promises";
import Anthropic from "@anthropic-ai/sdk";
import { createFetch } from "@manifold-gateway/client";
import { simulate } from "./support/simulated.ts";

const { simulated, simulator } = simulate();

const used = { input: 0, output: 0, usd: 0 };
const fetch = createFetch({
  ...simulated,
  models: { best: ["openai/gpt-6-sol", "mistral/mistral-large"] },
  onUsage({ usage, cost = 0 }) {
    used.input += usage.input;
    used.output += usage.output;
    used.usd += cost / 1e6;
  },
});
const client = new Anthropic({ fetch, apiKey: "unused" });

const history: Anthropic.MessageParam[] = [];

async function say(text: string): Promise<void> {
  history.push({ role: "user", content: text });
  const stream = client.messages.stream({ model: "best", max_tokens: 1024, messages: history });
  stream.on("text", (words) => process.stdout.write(words));
  const { content } = await stream.finalMessage();
  history.push({ role: "assistant", content });
  process.stdout.write("\n");
}

if (process.stdin.isTTY) {
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
  lines.prompt();
  for await (const line of lines) {
    await say(line).catch((error) => console.error(error.message));
    lines.prompt();
  }
} else {
  await say("Hello [[text:Good morning]]");
  simulator.script("[[fault:status=503]]", { times: 1 }); // the first model is overloaded
  await say("And now? [[text:The second model answers]]");
  assert.deepEqual(
    simulator.ledger.entries.map(({ model, status }) => [model, status]),
    [
      ["gpt-6-sol", 200],
      ["gpt-6-sol", 503],
      ["mistral-large", 200],
    ],
  );
  assert.match(JSON.stringify(history.at(-1)), /The second model answers/);
}
console.log(`${used.input} tokens in, ${used.output} out, ${used.usd.toFixed(4)} USD`);
