/** An agent: a loop in which a model calls tools until it has an answer. The model is changed by its name alone. */
import assert from "node:assert/strict";
import { createFetch } from "@manifold-gateway/client";
import OpenAI from "openai";
import { simulate } from "./support/simulated.ts";

const { simulated } = simulate();

const client = new OpenAI({ fetch: createFetch(simulated), apiKey: "unused" });
const model = "anthropic/claude-opus-4-7";

const tools: Record<string, { description: string; run(city: string): string }> = {
  get_weather: { description: "The weather in a city.", run: (city) => `Rain in ${city}, 12 degrees.` },
  get_time: { description: "The time in a city.", run: (city) => `It is noon in ${city}.` },
};

const functions = Object.entries(tools).map(
  ([name, { description }]): OpenAI.ChatCompletionFunctionTool => ({
    type: "function",
    function: {
      name,
      description,
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  }),
);

/** What a call returns: errors go to the model as well, which may try again. */
function run({ name, arguments: text }: { name: string; arguments: string }): string {
  try {
    const { city } = JSON.parse(text) as { city: string };
    return tools[name]?.run(city) ?? `There is no tool '${name}'.`;
  } catch (error) {
    return `The call failed: ${error}`;
  }
}

async function solve(task: string, turns = 10): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: task }];
  for (let turn = 0; turn < turns; turn++) {
    const { choices } = await client.chat.completions.create({ model, messages, tools: functions });
    const message = choices[0]?.message;
    if (!message) break;
    messages.push(message);
    if (!message.tool_calls?.length) return message.content ?? "";
    for (const call of message.tool_calls) {
      const content = call.type === "function" ? run(call.function) : "There is no such tool.";
      console.log(`${call.id}: ${content}`);
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  throw new Error(`no answer after ${turns} turns`);
}

const steps =
  '[[call:get_weather {"city":"Paris"}]] [[step]] [[call:get_time {"city":"Paris"}]] [[step]] [[text:Take a coat]]';
const answer = await solve(`Do I need a coat in Paris? ${steps}`);
console.log(answer);
assert.equal(answer, "Take a coat");
