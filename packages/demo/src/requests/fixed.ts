import { samples } from "@manifold-gateway/simulator";
import { createRandom } from "../random.ts";
import { prose, system } from "../texts.ts";
import type { TrafficRequest } from "./traffic-request.ts";

const text = prose(createRandom("certain"), 12);
const chat = "/api/chatstyle/v1/chat/completions";
const messages = [
  { role: "system", content: system },
  { role: "user", content: text },
];
const video = (words: string, ending?: string): TrafficRequest => ({
  path: "/api/v1/video/generations",
  body: { model: "sim-video-fast", content: [{ type: "text", text: words }] },
  ...(ending !== undefined && { scripts: [{ directives: ending, operation: "video" }] }),
  job: "/api/v1/video/tasks/",
});
const image = (words: string, ending?: string): TrafficRequest => ({
  path: "/api/v1/image/generations/async",
  body: { model: "sim-image", content: [{ type: "text", text: words }], size: "1024x1024" },
  ...(ending !== undefined && { scripts: [{ directives: ending, operation: "image" }] }),
  job: "/api/v1/image/generations/async/",
});

/** The requests that the account `dev` makes in every month, however little traffic it has, with the key for each. */
export const FIXED: readonly (readonly [key: string, request: TrafficRequest])[] = [
  // Translated to a protocol without a seed.
  ["website", { path: chat, body: { model: "sim-messages", messages, seed: 7, max_tokens: 400 } }],
  [
    "website",
    {
      path: chat,
      body: { model: "sim-large", messages, max_tokens: 400 },
      scripts: [{ directives: "[[fault:status=503]]", operation: "generate" }],
    },
  ],
  [
    "support",
    {
      path: "/api/msgstyle/v1/messages",
      body: { model: "sim-chat", system, messages: messages.slice(1), max_tokens: 400 },
      scripts: [{ directives: "[[fault:status=400]]", operation: "generate" }],
    },
  ],
  [
    "website",
    {
      path: chat,
      body: { model: "sim-chat", messages, stream: true },
      scripts: [{ directives: { text, fault: { slow: 4 } }, operation: "generate" }],
      leaves: true,
    },
  ],
  [
    "search",
    { path: "/api/chatstyle/v1/embeddings", body: { model: "sim-embedding", input: [text, system] } },
  ],
  [
    "search",
    {
      path: "/api/chatstyle/v1/rerank",
      body: {
        model: "sim-rerank-search",
        query: "When does the first ferry leave?",
        documents: ["The first ferry leaves at ten past seven.", "The harbour office opens at nine.", text],
      },
    },
  ],
  ["support", { path: "/api/chatstyle/v1/moderations", body: { model: "sim-moderation", input: text } }],
  [
    "studio",
    {
      path: "/api/chatstyle/v1/audio/speech",
      body: { model: "sim-speech", voice: "alloy", input: "The ferry leaves at ten past seven." },
    },
  ],
  [
    "studio",
    {
      path: "/api/v1/audio/transcriptions",
      body: {
        model: "sim-transcription",
        content: [{ type: "audioBase64", data: samples.wav(6, 8_000).toString("base64") }],
        timestampGranularities: ["segment"],
      },
    },
  ],
  ["studio", image("A lighthouse at dusk, with rain coming in from the sea.")],
  ["studio", image("A door that must not be shown.", "[[outcome:fail=moderation]]")],
  ["studio", video("A paper boat on a stream between moss and stones.")],
  ["studio", video("A storm at sea.", "[[outcome:fail=internal]]")],
  ["studio", { ...video("A boat, and then no boat.", "[[outcome:queued=9]]"), cancels: true }],
  [
    "studio",
    {
      path: "/api/v1/audio/text-to-speech",
      body: { voiceType: "en_female_dacey_uranus_bigtts", text: "The ferry leaves at ten past seven." },
      job: "/api/v1/audio/generations/",
    },
  ],
];
