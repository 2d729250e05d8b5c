import { createHash } from "node:crypto";
import { type Recording, recordingName } from "@manifold-gateway/core/operations";
import { fieldOf } from "@manifold-gateway/core/plan";
import { checkRecording, type Probe } from "@manifold-gateway/media";
import { DownloadFault } from "@manifold-gateway/providers";
import { refuseWithoutCredit } from "../generation/require-credit.ts";
import { guardsOf } from "../guards/checker.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { inTime } from "../media/fetch-inputs.ts";
import { mediaOf } from "../media/media.ts";
import type { Context } from "../ports/context.ts";
import type { Media } from "../ports/media.ts";
import { uploadLimits } from "../uploads/limits.ts";
import { Spool } from "../uploads/spool.ts";
import { Upload } from "../uploads/upload.ts";
import type { RecordingPart, TranscriptionAsk } from "./ask.ts";

/** The services that receiving a recording uses. */
export type RecordingService = "billing" | "catalog" | "guards" | "media";

/**
 * The request with its recording: fetched if it is at an address, and measured by its contents. Throws a 400 that names
 * the field of a file of another kind. If the request is only explained, nothing is fetched.
 */
export async function withRecording(
  context: Context<RecordingService>,
  ask: TranscriptionAsk,
): Promise<TranscriptionAsk> {
  const { services, caller, options, progress } = context;
  const media = mediaOf(services);
  const { part } = ask;
  if (part && "url" in part && options.explain) return { ...ask, ...notFetched(part) };
  const upload = ask.upload ?? (part && (await receive(context, ask, part)));
  if (!upload) return ask;
  // The one of an earlier try, before its model was discovered.
  if (progress.body !== upload) progress.body?.release();
  progress.body = upload;
  const probe = await media.probes.probe(caller.accountId, upload.source);
  const at = part?.at ?? "/file";
  const field = fieldOf(at);
  const [issue] = checkRecording(probe);
  if (issue)
    throw new Refusal("unusable_input", `${field}: ${issue.message} (model ${quote(ask.model)})`, {
      param: field,
    });
  const isGuarded = services.guards.length > 0 && guardsOf(context, "reply").length > 0;
  return { ...ask, upload, isGuarded, recording: { ...factsOf(probe as Probe, upload), at } };
}

/** The facts of a recording. */
function factsOf(probe: Probe, { facts }: Upload): Recording {
  const { mediaType, size } = probe;
  return {
    mediaType,
    name: recordingName(facts.name, mediaType),
    bytes: size,
    ...("seconds" in probe && { seconds: Math.round(probe.seconds * 1000) / 1000 }),
  };
}

const notFetched = ({ at }: RecordingPart): Pick<TranscriptionAsk, "pending" | "recording"> => ({
  pending: `${fieldOf(at)}: the recording is fetched and measured first; until then, its cost is the most that it can be.`,
  recording: { mediaType: "audio/mpeg", name: "audio.mp3", bytes: uploadLimits.media, at },
});

async function receive(
  context: Context<RecordingService>,
  { model }: Pick<TranscriptionAsk, "model">,
  part: RecordingPart,
): Promise<Upload> {
  if ("data" in part) return spooled([Buffer.from(part.data, "base64")]);
  const { services } = context;
  const media = mediaOf(services);
  // The hold comes later, since the cost is not known yet.
  await refuseWithoutCredit(context, services.catalog.get(model));
  const field = fieldOf(part.at);
  try {
    return await inTime(context, field, (signal) => download(media, part.url, signal));
  } catch (error) {
    if (!(error instanceof DownloadFault)) throw error;
    throw new Refusal("unusable_input", `${field}: ${error.message} (model ${quote(model)})`, {
      param: field,
    });
  }
}

async function download({ fetch }: Media, url: string, signal: AbortSignal): Promise<Upload> {
  const { stream } = await fetch(url, { limit: uploadLimits.media, http: true, signal });
  return spooled(stream);
}

async function spooled(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Upload> {
  const spool = new Spool();
  const hash = createHash("sha256");
  try {
    for await (const piece of pieces) {
      hash.update(piece);
      await spool.append(piece);
    }
  } catch (error) {
    spool.close();
    throw error;
  }
  const contents = { from: 0, length: spool.size };
  return new Upload(spool, contents, { name: "", bytes: spool.size, sha256: hash.digest("hex") });
}
