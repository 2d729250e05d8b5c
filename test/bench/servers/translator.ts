import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent } from "undici";
import { serve } from "./serve.ts";

/**
 * The baseline of translation: a proxy that turns chat requests into messages and their answers back, by the fewest
 * lines that do it for text. It has no keys, no checks, no accounts and no records.
 */
const [upstream] = process.argv.slice(2) as [string];
const { origin } = new URL(upstream);
const agent = new Agent({ pipelining: 1 });

interface Chat {
  model: string;
  messages: { role: string; content: unknown }[];
  max_tokens?: number;
  temperature?: number;
  stream?: boolean;
}
interface Usage {
  input_tokens?: number;
  output_tokens: number;
}
interface Event {
  type: string;
  message?: { id: string; usage: Usage };
  delta?: { text?: string; stop_reason?: string };
  usage?: Usage;
}

const finish = (reason: string | null | undefined): string => (reason === "max_tokens" ? "length" : "stop");
const total = (input: number, output: number): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

function toMessages({ model, messages, max_tokens = 4_096, temperature, stream = false }: Chat): string {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const turns = messages.filter(({ role }) => role !== "system");
  return JSON.stringify({
    model,
    system: system.join("\n"),
    messages: turns,
    max_tokens,
    temperature,
    stream,
  });
}

function toChat(text: string): string {
  const { id, model, content, stop_reason, usage } = JSON.parse(text) as {
    id: string;
    model: string;
    content: { text: string }[];
    stop_reason: string;
    usage: Required<Usage>;
  };
  const message = { role: "assistant", content: content.map(({ text }) => text).join(""), refusal: null };
  return JSON.stringify({
    id,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish(stop_reason) }],
    usage: total(usage.input_tokens, usage.output_tokens),
  });
}

/** Chunks of chat for pieces of a stream of messages. */
function translateStream(model: string): (piece: string) => string {
  const created = Math.floor(Date.now() / 1_000);
  let rest = "";
  let id = "";
  let input = 0;
  const chunk = (delta: object, finish_reason: string | null, usage?: object): string =>
    `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices: [{ index: 0, delta, finish_reason }], usage })}\n\n`;
  const translate = (event: Event): string => {
    if (event.type === "content_block_delta") return chunk({ content: event.delta?.text }, null);
    if (event.type === "message_start") {
      id = event.message?.id ?? "";
      input = event.message?.usage.input_tokens ?? 0;
      return chunk({ role: "assistant", content: "" }, null);
    }
    if (event.type === "message_delta")
      return chunk({}, finish(event.delta?.stop_reason), total(input, event.usage?.output_tokens ?? 0));
    return event.type === "message_stop" ? "data: [DONE]\n\n" : "";
  };
  return (piece) => {
    const frames = (rest + piece).split("\n\n");
    rest = frames.pop() as string;
    return frames.map((frame) => translate(JSON.parse(frame.slice(frame.indexOf("data: ") + 6)))).join("");
  };
}

function relay(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    const chat = JSON.parse(Buffer.concat(chunks).toString()) as Chat;
    const step = chat.stream ? translateStream(chat.model) : undefined;
    const decoder = new TextDecoder();
    let whole = "";
    agent.dispatch(
      {
        origin,
        path: "/v1/messages",
        method: "POST",
        headers: { "content-type": "application/json" },
        body: toMessages(chat),
      },
      {
        onRequestStart() {},
        onResponseStart: (_, status, headers) =>
          void res.writeHead(status, { "content-type": String(headers["content-type"]) }),
        onResponseData(_, data) {
          const piece = decoder.decode(data, { stream: true });
          if (step) res.write(step(piece));
          else whole += piece;
        },
        onResponseEnd: () => void (step ? res.end() : res.end(toChat(whole))),
        onResponseError: () => void res.destroy(),
      },
    );
  });
}

serve(relay);
