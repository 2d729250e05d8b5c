import type { Answer } from "../api/client.ts";
import { EXPLAINED, type SurfaceName } from "../play/surfaces.ts";

export type AdminExplanation = Answer<"/api/admin/explain", "post">;
export type Entry = AdminExplanation["entries"][number];
type Route = NonNullable<AdminExplanation["route"]>;
export type Candidate = Route["candidates"][number];

/** What an entry is taken for in place of what is known of it. */
export interface Supposed {
  circuit?: Entry["circuit"];
  latency?: number;
}

const HELLO = [{ role: "user", content: "Hello" }];
const SCENE = [{ type: "text", text: "A lighthouse in the fog." }];

/** A small request of each surface, to begin with. */
const SAMPLES: Record<SurfaceName, object> = {
  chat: { messages: HELLO },
  messages: { messages: HELLO, max_tokens: 256 },
  generate: { contents: [{ role: "user", parts: [{ text: "Hello" }] }] },
  responses: { input: "Hello" },
  native: { messages: HELLO },
  embeddings: { input: "Hello" },
  transcription: { content: [{ type: "audioUrl", url: "https://example.com/speech.mp3" }] },
  speak: { input: "Hello", voice: "alloy" },
  rerank: { query: "Where do llamas live?", documents: ["In the Andes.", "In China."] },
  moderation: { input: "Hello" },
  image: { content: SCENE },
  video: { content: SCENE },
  reading: { text: "Hello", voiceType: "" },
  reference: { text: "Hello", referenceAudios: [] },
};

export const sampleOf = (surface: SurfaceName): string => JSON.stringify(SAMPLES[surface], null, 2);

const listOf = (text: string | undefined): string[] | undefined => {
  const names = (text ?? "").split(",").flatMap((name) => name.trim() || []);
  return names.length > 0 ? names : undefined;
};

/** The `provider` object of a request, as the form has it; nothing where nothing is said. */
export function preferencesOf(params: Record<string, string>): object | undefined {
  const { sort, order, only, ignore, fallbacks } = params;
  const preferences = {
    ...(sort && { sort }),
    ...Object.fromEntries(
      Object.entries({ order, only, ignore }).flatMap(([name, text]) => {
        const names = listOf(text);
        return names ? [[name, names]] : [];
      }),
    ),
    ...(fallbacks === "no" && { allow_fallbacks: false }),
  };
  return Object.keys(preferences).length > 0 ? preferences : undefined;
}

/** The request that an operator wants to have explained; throws where the body is no JSON. */
export function toAsk(text: string, surface: SurfaceName, params: Record<string, string>) {
  const { model = "" } = params;
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`The body is no JSON: ${(error as Error).message}`);
  }
  const provider = preferencesOf(params);
  return {
    path: EXPLAINED[surface].path(model),
    // Generate-content has the model in its path, and a reading names a voice.
    body: {
      ...(surface !== "generate" && surface !== "reading" && { model }),
      ...body,
      ...(provider && { provider }),
    },
  };
}

/** The entries as a configuration has them, with priorities that keep this order. */
export const asConfig = (model: string, candidates: readonly Candidate[]): string =>
  JSON.stringify(
    {
      [model]: {
        entries: candidates.map(({ provider, name }, at) => ({ provider, name, priority: at + 1 })),
      },
    },
    null,
    2,
  );
