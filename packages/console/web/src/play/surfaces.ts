import { WIRES, type WireName } from "../codecs/wires.ts";
import type { Payer } from "./explain.ts";
import { CALLS, ORDERS } from "./media.ts";

/** A route that says beforehand what would become of a request. */
export interface Explained {
  title: string;
  path: (model: string) => string;
  payer: Payer;
  isPathOf: RegExp;
}

/** Works are ordered by the account, as the media playground does. */
const MEDIA: readonly string[] = Object.values(ORDERS);
const fixed = (title: string, path: string): Explained => ({
  title,
  path: () => path,
  payer: MEDIA.includes(path) ? "account" : "playground",
  isPathOf: new RegExp(`${path}$`),
});

const ofWire = (name: WireName): Explained => {
  const { title, path } = WIRES[name];
  return { title, path: (model) => path(model), payer: "playground", isPathOf: new RegExp(`${path("")}$`) };
};

export const EXPLAINED = {
  chat: ofWire("chat"),
  messages: ofWire("messages"),
  generate: {
    ...ofWire("generate"),
    isPathOf: /^\/api\/genstyle\/v1beta\/models\/(.+):(?:stream)?[gG]enerateContent$/,
  },
  responses: ofWire("responses"),
  native: ofWire("native"),
  embeddings: fixed("Embeddings", CALLS.embed),
  transcription: fixed("Transcription", "/api/v1/audio/transcriptions"),
  speak: fixed("Speech at once", CALLS.speak),
  rerank: fixed("Rerank", CALLS.rerank),
  moderation: fixed("Moderation", CALLS.moderate),
  image: fixed("Image", ORDERS.image),
  video: fixed("Video", ORDERS.video),
  reading: fixed("Reading", ORDERS.reading),
  reference: fixed("Speech by references", ORDERS.reference),
} as const satisfies Record<string, Explained>;

export type SurfaceName = keyof typeof EXPLAINED;

/** The surface that a path belongs to, and the model where the path names it. */
export function surfaceOf(path: string): { surface: SurfaceName; model?: string } | undefined {
  for (const [name, { isPathOf }] of Object.entries(EXPLAINED)) {
    const found = isPathOf.exec(path);
    if (found)
      return {
        surface: name as SurfaceName,
        ...(found[1] !== undefined && { model: decodeURIComponent(found[1]) }),
      };
  }
  return undefined;
}
