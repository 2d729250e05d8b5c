import type OpenAI from "openai";

/** An application: it answers questions about orders, and looks orders up for it. */
export interface Shop {
  stateOf(order: string): string;
}

const tools: OpenAI.Chat.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "look_up",
      description: "Looks up the state of an order.",
      parameters: {
        type: "object",
        properties: { order: { type: "string" } },
        required: ["order"],
        additionalProperties: false,
      },
    },
  },
];

/** The answer to a question. Where no answer can be had, says so instead of throwing. */
export async function answer(client: OpenAI, shop: Shop, question: string): Promise<string> {
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
  try {
    for (let turn = 0; turn < 3; turn++) {
      const { choices } = await client.chat.completions.create({ model: "gpt-5", messages, tools });
      const message = choices[0]!.message;
      if (!message.tool_calls) return message.content ?? "";
      messages.push(message);
      for (const call of message.tool_calls) {
        const { order } = JSON.parse(call.type === "function" ? call.function.arguments : "{}");
        messages.push({ role: "tool", tool_call_id: call.id, content: shop.stateOf(order) });
      }
    }
    return "That takes too long. Please ask us by mail.";
  } catch {
    return "We cannot answer at the moment. Please ask us by mail.";
  }
}
