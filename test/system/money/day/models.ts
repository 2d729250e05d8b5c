import type { LedgerEntry } from "@manifold-gateway/simulator";

/** What the simulator did for one request: its exchanges, and its media work. */
type Work = { billed: Record<string, number>; outputs: readonly unknown[] };

/** A model of the day: where it is served, its price, and what one exchange of it has to cost, in micro-USD. */
export interface DayModel {
  provider: string;
  /** Its name at the provider, which no other model has. */
  name: string;
  input?: string[];
  output?: string[];
  known?: string;
  price: Record<string, number>;
  fallbacks?: string[];
  /** The cost of an exchange; of media work where the vendor bills that. */
  cost: { of: "exchange"; micro(entry: LedgerEntry): number } | { of: "work"; micro(work: Work): number };
  /** Its provider reports nothing that its price counts, or nothing that can be: it is charged by estimates. */
  estimated?: true;
  /** Whether a cost is that of what the gateway measures itself. */
  measured?(cost: number, billed: Record<string, number>): boolean;
}

/** Of each recording. */
export const SECONDS = 3;

const tokens = { input: 1, output: 2 };
const byTokens: DayModel["cost"] = {
  of: "exchange",
  micro: ({ usage }) => usage.input * tokens.input + usage.output * tokens.output,
};
const byUnits: DayModel["cost"] = { of: "exchange", micro: ({ searchUnits = 0 }) => searchUnits * 2_000 };
const byWork = (unit: string, micro: number): DayModel["cost"] => ({
  of: "work",
  micro: ({ billed }) => Math.ceil((billed[unit] ?? 0) * micro),
});

const text = (provider: string, more: Partial<DayModel> = {}): DayModel => ({
  ...{ provider, name: `sim-${provider}`, price: tokens, cost: byTokens },
  ...more,
});
const embedding = (provider: string, name: string): DayModel => ({
  ...{ provider, name, output: ["embedding"], price: { input: 1 }, cost: byTokens },
});
const ranking = (provider: string, name: string, isCounted: boolean): DayModel => ({
  ...{ provider, name, output: ["ranking"] },
  ...(isCounted ? { price: { input: 1 }, cost: byTokens } : { price: { searchUnits: 0.002 }, cost: byUnits }),
});
const media = (
  kind: "image" | "video" | "audio",
  provider: string,
  name: string,
  price: Record<string, number>,
  cost: DayModel["cost"],
): DayModel => ({ provider, name, output: [kind], price, cost });
const hearing = (name: string, price: Record<string, number>, cost: DayModel["cost"]): DayModel => ({
  ...{ provider: "chatstyle", name, known: name, input: ["audio"], output: ["transcription"], price, cost },
});

export const MODELS: Record<string, DayModel> = {
  chat: text("chatstyle"),
  responses: text("responses"),
  messages: text("msgstyle"),
  generate: text("genstyle", { input: ["text", "audio"] }),
  converse: text("conversestyle"),
  liar: text("liar", { name: "sim-liar", estimated: true }),
  away: text("away", { name: "sim-away", fallbacks: ["messages"] }),
  "embed-chat": embedding("chatstyle", "sim-embedding"),
  "embed-generate": { ...embedding("genstyle", "gemini-embedding-2"), estimated: true },
  "embed-router": embedding("router", "sim-embedding-router"),
  "embed-liar": { ...embedding("liar", "sim-embedding-liar"), estimated: true },
  rank: ranking("chatstyle", "sim-rerank", true),
  "rank-search": ranking("search", "sim-rerank-search", false),
  "rank-before": ranking("before", "sim-rerank-before", false),
  "rank-score": ranking("score", "sim-rerank-score", true),
  "rank-top": ranking("top", "sim-rerank-top", true),
  "rank-liar": { ...ranking("liar", "sim-rerank-liar", true), estimated: true },
  moderates: {
    ...{ provider: "chatstyle", name: "sim-moderation", input: ["text", "image"], output: ["moderation"] },
    ...{ price: { input: 1 }, cost: byTokens, estimated: true },
  },
  free: {
    ...{ provider: "chatstyle", name: "sim-free", output: ["moderation"], price: {} },
    ...{ cost: { of: "exchange", micro: () => 0 }, estimated: true },
  },
  seconds: {
    ...hearing(
      "whisper-1",
      { seconds: 0.0001 },
      {
        of: "work",
        micro: ({ billed }) => Math.ceil(billed.seconds ?? 0) * 100,
      },
    ),
    // Its own length, or what the provider says of it beside the usage.
    measured: (cost, { seconds = 0 }) => [SECONDS, seconds].some((one) => Math.abs(cost - one * 100) <= 10),
  },
  tokens: hearing("gpt-4o-transcribe", tokens, byTokens),
  speakers: hearing("gpt-4o-transcribe-diarize", tokens, byTokens),
  says: { ...media("audio", "chatstyle", "gpt-4o-mini-tts", tokens, byTokens), known: "gpt-4o-mini-tts" },
  "says-characters": {
    ...media("audio", "chatstyle", "tts-1", { characters: 15 }, byWork("characters", 15)),
    known: "tts-1",
  },
  "seed-tts-2.0": media("audio", "speechstyle", "seed-tts-2.0", { characters: 15 }, byWork("text_words", 15)),
  image: {
    ...media("image", "media", "seedream-4-0-250828", { images: 0.04 }, byWork("generated_images", 40_000)),
    known: "seedream-4-0-250828",
  },
  "image-chat": {
    ...media("image", "chatstyle", "gpt-image-1.5", { images: 0.04 }, byWork("images", 40_000)),
    known: "gpt-image-1.5",
  },
  "image-router": media(
    "image",
    "router",
    "sim-image",
    { images: 0.04 },
    {
      of: "work",
      micro: ({ outputs }) => outputs.length * 40_000,
    },
  ),
  video: {
    ...media("video", "media", "seedance-1-0-pro-250528", { output: 2 }, byWork("completion_tokens", 2)),
    known: "seedance-1-0-pro-250528",
  },
  "video-generate": {
    ...media(
      "video",
      "genstyle",
      "veo-3.1-fast-generate-preview",
      { seconds: 0.05 },
      byWork("seconds", 50_000),
    ),
    ...{ known: "veo-3.1-fast-generate-preview", estimated: true },
  },
};

const byName = new Map(Object.values(MODELS).map((model) => [model.name, model]));

/** The model by the name that a provider is sent. */
export const modelNamed = (name: string): DayModel | undefined => byName.get(name);
