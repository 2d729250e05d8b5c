/** An evaluation: the same questions to three models of three vendors, with the score, time, tokens, cost and losses of each. */
import assert from "node:assert/strict";
import { createFetch } from "@manifold-gateway/client";
import OpenAI from "openai";
import { simulate } from "./support/simulated.ts";

const { simulated } = simulate();

const models = ["openai/gpt-6-sol", "anthropic/claude-opus-4-7", "google/gemini-3-pro"];

// The simulator knows no answers: what stands in brackets is what it says.
const questions = [
  { ask: "What is the capital of France? One word. [[text:Paris]]", expected: /paris/i },
  { ask: "What is 6 times 7? Digits only. [[text:42]]", expected: /\b42\b/ },
  { ask: "Is 91 a prime number? Yes or no. [[text:Yes]]", expected: /\bno\b/i },
];

const rows = new Map(
  models.map((model) => [model, { right: 0, ms: 0, input: 0, output: 0, microUsd: 0, lost: [] as string[] }]),
);

const fetch = createFetch({
  ...simulated,
  onUsage({ model, usage, cost = 0 }) {
    const row = rows.get(model)!;
    row.input += usage.input;
    row.output += usage.output;
    row.microUsd += cost;
  },
  onLoss({ model, path }) {
    const { lost } = rows.get(model)!;
    if (!lost.includes(path)) lost.push(path);
  },
});
const client = new OpenAI({ fetch, apiKey: "unused", maxRetries: 0 });

async function evaluate(model: string): Promise<void> {
  const row = rows.get(model)!;
  for (const { ask, expected } of questions) {
    const begun = performance.now();
    const { choices } = await client.chat.completions.create({
      model,
      seed: 7, // not every vendor has it: see the column `lost`
      messages: [{ role: "user", content: ask }],
    });
    row.ms += Math.round(performance.now() - begun);
    if (expected.test(choices[0]?.message.content ?? "")) row.right += 1;
  }
}

await Promise.all(models.map(evaluate));
for (const [model, row] of rows) console.log(model, JSON.stringify(row));
assert.deepEqual(
  [...rows.values()].map(({ right }) => right),
  [2, 2, 2],
);
assert.deepEqual(
  [...rows.values()].map(({ lost }) => lost.includes("/seed")),
  [false, true, false],
);
