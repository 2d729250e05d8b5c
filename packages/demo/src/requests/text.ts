import { prose, question, system } from "../texts.ts";
import type { CreateRequest, Script } from "./traffic-request.ts";

interface DemoRequest {
  model: string;
  text: string;
  stream: boolean;
  /** Whether it has accountKeys that not every protocol can express. */
  isOdd: boolean;
}

interface Surface {
  weight: number;
  path(request: DemoRequest): string;
  body(request: DemoRequest): object;
}

const MOST = 2_000;

const SURFACES: readonly Surface[] = [
  {
    weight: 8,
    path: () => "/api/chatstyle/v1/chat/completions",
    body: ({ model, text, stream, isOdd }) => ({
      ...{ model, stream, max_tokens: MOST },
      messages: [
        { role: "system", content: system },
        { role: "user", content: text },
      ],
      ...(isOdd && { seed: 7, presence_penalty: 0.2 }),
    }),
  },
  {
    weight: 3,
    path: () => "/api/chatstyle/v1/responses",
    body: ({ model, text, stream, isOdd }) => ({
      ...{ model, stream, max_output_tokens: MOST, instructions: system, input: text },
      ...(isOdd && { temperature: 0.3, top_logprobs: 2, include: ["message.output_text.logprobs"] }),
    }),
  },
  {
    weight: 5,
    path: () => "/api/msgstyle/v1/messages",
    body: ({ model, text, stream, isOdd }) => ({
      ...{ model, stream, max_tokens: MOST, system, messages: [{ role: "user", content: text }] },
      ...(isOdd && { top_k: 40 }),
    }),
  },
  {
    weight: 3,
    path: ({ model, stream }) =>
      `/api/genstyle/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: ({ text, isOdd }) => ({
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: "user", parts: [{ text }] }],
      generationConfig: { maxOutputTokens: MOST, ...(isOdd && { topK: 40, seed: 7 }) },
    }),
  },
  {
    weight: 1,
    path: () => "/api/v1/text/completions",
    body: ({ model, text }) => ({
      ...{ model, maxTokens: MOST },
      messages: [
        { role: "system", content: system },
        { role: "user", content: text },
      ],
    }),
  },
];

/** The provider's faults, by weight; most requests have none. */
const FAULTS = [
  { weight: 920 },
  { weight: 28, directives: "[[fault:status=503]]" },
  { weight: 14, directives: "[[fault:status=429]]" },
  { weight: 10, directives: "[[fault:status=500]]" },
  { weight: 6, directives: "[[fault:reset]]" },
  { weight: 6, directives: "[[fault:cut=600]]" },
  { weight: 6, directives: "[[fault:status=400]]" },
  { weight: 10, directives: "[[length]]" },
];

export const createTextRequest: CreateRequest = (random, models) => {
  const request: DemoRequest = {
    model: random.pick(models),
    text: question(random),
    stream: random.next() < 0.45,
    isOdd: random.next() < 0.2,
  };
  const surface = random.pickWeighted(SURFACES);
  const { directives } = random.pickWeighted<{ weight: number; directives?: string }>(FAULTS);
  const answer = prose(random, random.between(1, 18));
  const isCached = random.next() < 0.15;
  const leaves = request.stream && random.next() < 0.03;
  const scripts: Script[] = [
    ...(directives === undefined ? [] : [{ directives, operation: "generate" }]),
    {
      // Slow enough that the client can leave before the end.
      directives: { text: answer, cached: isCached, ...(leaves && { fault: { slow: 4 } }) },
      operation: "generate",
    },
  ];
  return {
    path: surface.path(request),
    body: surface.body(request),
    scripts,
    leaves,
  };
};
