import { ApiError, call } from "../api/client.ts";
import { isRefused, randomName } from "../api/once.ts";
import type { MediaInput } from "./schema-form.ts";

export type Mode = "image" | "video" | "speech" | "embedding";

/** Where the work of a mode is ordered; each answers with the id of a job, or with what it would be. */
export const ORDERS = {
  image: "/api/v1/image/generations/async",
  video: "/api/v1/video/generations",
  reading: "/api/v1/audio/text-to-speech",
  reference: "/api/v1/audio/generation-with-reference",
} as const;

/** Where an operation that one call answers is sent. */
export const CALLS = {
  embed: "/api/chatstyle/v1/embeddings",
  transcribe: "/api/chatstyle/v1/audio/transcriptions",
  translate: "/api/chatstyle/v1/audio/translations",
  speak: "/api/chatstyle/v1/audio/speech",
  rerank: "/api/chatstyle/v1/rerank",
  moderate: "/api/chatstyle/v1/moderations",
} as const;
export type CallName = keyof typeof CALLS;

/** The model of speech by references; the others of speech are chosen by their voices. */
export const REFERENCE = "seed-audio-1.0-multilingual";

/** A file, or an asset of the service, that goes with the prompt. */
export interface Attached {
  kind: MediaInput["kind"];
  role?: string | undefined;
  name: string;
  /** What was measured of it, in words. */
  facts: string;
  data?: string;
  mediaType?: string;
  url?: string;
  assetId?: string;
  /** The part that names the asset, where it is not that of an output. */
  part?: string;
}

/** A prompt and its files as native content. */
export function toContent(text: string, attached: readonly Attached[]): object[] {
  const parts = attached.map(({ kind, role, data, mediaType, url, assetId, part }) => ({
    ...(assetId !== undefined
      ? { type: part ?? `${kind}AssetId`, assetId }
      : url !== undefined
        ? { type: `${kind}Url`, url }
        : { type: `${kind}Base64`, data, ...(mediaType !== undefined && { mediaType }) }),
    ...(role !== undefined && { role }),
  }));
  return [...(text.trim() === "" ? [] : [{ type: "text", text }]), ...parts];
}

type OrderPath = (typeof ORDERS)[keyof typeof ORDERS];

/** The last order, if its answer was lost: its job may have begun. */
let unsure: { path: OrderPath; text: string; idempotencyKey: string } | undefined;

/**
 * Orders work with the browser's session; the id of its job. If the answer is lost, the same order may be given again:
 * it begins one job, however often that is.
 */
export async function order(path: OrderPath, text: string): Promise<string> {
  const earlier = unsure?.path === path && unsure.text === text ? unsure : undefined;
  const { idempotencyKey } = earlier ?? { idempotencyKey: randomName() };
  unsure = earlier;
  try {
    const { generationId } = (await call("post", path, { text, idempotencyKey })) as { generationId: string };
    unsure = undefined;
    return generationId;
  } catch (error) {
    if (!isRefused(error)) unsure = { path, text, idempotencyKey };
    // The refusal names the job, which has ended: what is ordered next is another.
    if (error instanceof ApiError && error.code === "idempotency_answer_not_kept") unsure = undefined;
    throw error;
  }
}

const toDataUrl = (file: File): Promise<string> =>
  new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(new Error(`"${file.name}" cannot be read.`));
    reader.readAsDataURL(file);
  });

/** Reads a file that was chosen or dropped, and refuses what the model does not take. */
export async function attach(
  file: File,
  { kind, mediaTypes }: MediaInput,
  show: (bytes: number) => string,
): Promise<Attached> {
  if (mediaTypes.length > 0 && !mediaTypes.includes(file.type))
    throw new Error(
      `"${file.name}" is ${file.type || "of no known type"}; this model takes ${mediaTypes.join(", ")}.`,
    );
  const data = await toDataUrl(file);
  const edges = kind === "image" ? await edgesOf(file) : "";
  return {
    kind,
    name: file.name,
    facts: `${edges}${file.type}, ${show(file.size)}`,
    data,
    mediaType: file.type,
  };
}

/** Width and height of a picture, where this browser can read it. */
async function edgesOf(file: File): Promise<string> {
  try {
    const { width, height } = await createImageBitmap(file);
    return `${width}×${height} `;
  } catch {
    return "";
  }
}
