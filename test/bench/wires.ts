/** The wires of the benchmark: the same answer in two protocols, unary and as 200 events. */
const words = Array.from({ length: 200 }, (_, i) => `word${i} `);
const text = words.join("").slice(0, 700);

export const unary: Record<string, string> = {
  chatstyle: JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion",
    created: 1_760_000_000,
    model: "bench",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: {
      prompt_tokens: 500,
      completion_tokens: 180,
      total_tokens: 680,
      prompt_tokens_details: { cached_tokens: 0 },
    },
  }),
  msgstyle: JSON.stringify({
    id: "msg_bench",
    type: "message",
    role: "assistant",
    model: "bench",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 500, output_tokens: 180 },
  }),
};

const chat = (choices: unknown[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1_760_000_000, model: "bench", choices, ...more })}\n\n`;
const message = (event: { type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const blocks = (type: string, more: object): string => message({ type, ...more });

export const bursts: Record<string, string[]> = {
  chatstyle: [
    chat([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]),
    ...words.slice(0, 196).map((content) => chat([{ index: 0, delta: { content }, finish_reason: null }])),
    chat([{ index: 0, delta: {}, finish_reason: "stop" }]),
    chat([], { usage: { prompt_tokens: 500, completion_tokens: 196, total_tokens: 696 } }),
    "data: [DONE]\n\n",
  ],
  msgstyle: [
    blocks("message_start", {
      message: {
        id: "msg_bench",
        type: "message",
        role: "assistant",
        model: "bench",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 500, output_tokens: 1 },
      },
    }),
    blocks("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...words
      .slice(0, 195)
      .map((word) => blocks("content_block_delta", { index: 0, delta: { type: "text_delta", text: word } })),
    blocks("content_block_stop", { index: 0 }),
    blocks("message_delta", {
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 196 },
    }),
    blocks("message_stop", {}),
  ],
};

/** A chat request of about `bytes` bytes. */
export function chatRequest(options: {
  bytes?: number;
  stream?: boolean;
  note?: string;
  image?: number;
  model?: string;
}): string {
  const { bytes = 2_000, stream = false, note = "", image = 0, model = "bench" } = options;
  const filler = "The quick brown fox jumps over the lazy dog. ";
  const content: unknown[] = [
    { type: "text", text: `${filler.repeat(Math.ceil(bytes / filler.length / 2))}${note}` },
  ];
  if (image > 0)
    content.unshift({
      type: "image_url",
      image_url: { url: `data:image/png;base64,${"iVBORw0KGgo".padEnd(image, "A")}` },
    });
  return JSON.stringify({
    model,
    messages: [
      { role: "system", content: filler.repeat(Math.ceil(bytes / filler.length / 2)) },
      { role: "user", content },
    ],
    temperature: 0.5,
    max_tokens: 512,
    ...(stream && { stream: true }),
  });
}
