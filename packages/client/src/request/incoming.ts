import type { AnyCaller } from "@manifold-gateway/core";
import type { EmbedCodec } from "@manifold-gateway/core/embeddings";
import { Rejection, type RequestBody, readBody } from "@manifold-gateway/core/plan";
import type { RerankCodec } from "@manifold-gateway/core/rerank";
import type { SpeakCodec } from "@manifold-gateway/core/speech";
import type { TranscriptionCodec } from "@manifold-gateway/core/transcription";
import { type Wire, wireOf } from "@manifold-gateway/core/wire";
import type { ImageCodec } from "../images/images.ts";
import { ClientRefusal } from "../reply/failure.ts";

/** A request as its SDK wrote it. */
export interface Incoming {
  id: string;
  wire: Wire;
  /** The caller's protocol. */
  codec: AnyCaller;
  body: RequestBody;
  /** The model's name, of the path or the body. */
  model: string;
  header(name: string): string | undefined;
  signal: AbortSignal;
  /** The caller's wire of embeddings. Default: that of its protocol. */
  embedCodec?: EmbedCodec;
  /** The caller's wire of rankings. Default: the one that most hosts have. */
  rerankCodec?: RerankCodec;
  /** How the caller asks for pictures. Default: as in the wire of chat completions. */
  imageCodec?: ImageCodec;
  /** The caller's wire of speech. Default: that of chat completions. */
  speakCodec?: SpeakCodec;
  /** The recording of the request: its facts are the body's `file`. */
  recording?: Uint8Array;
  /** The caller's wire of transcriptions. Default: that of chat completions. */
  transcriptionCodec?: TranscriptionCodec;
  /** The request and its answer are decoded and encoded, even if the provider speaks the caller's protocol. */
  rewritten?: true;
}

/** Reads the body of a request. Throws what the answer has to say if it is no request for a model. */
export async function readIncoming(request: Request, codec: AnyCaller, id: string): Promise<Incoming> {
  const { headers, method, url } = request;
  const text = await request.text();
  const body = readBody(text);
  if (body instanceof Rejection) throw body;
  const wire = wireOf(method, url, headers, body.value) as Wire;
  return incomingOf(request, { id, wire, codec, body });
}

/** A request whose body is read. Throws a refusal if it names no model. */
export function incomingOf(
  { headers, signal }: Request,
  parts: Pick<Incoming, "id" | "wire" | "codec" | "body">,
): Incoming {
  const { model } = parts.wire;
  if (model === undefined)
    throw new ClientRefusal(
      400,
      "invalid_request",
      "model: is required: an alias of the option `models`, or 'provider/name'.",
      "model",
    );
  return { ...parts, model, header: (name) => headers.get(name) ?? undefined, signal };
}

/** Reads the request of an SDK, whose protocol is known by its path. */
export type ReadIncoming = typeof readIncoming;
