import { readFrames } from "@manifold-gateway/core";
import { isObject, type JsonObject, parseJson, textOf, toObject } from "@manifold-gateway/core/codec";
import type { ImageAsk, ImagePreview, ImageResult } from "@manifold-gateway/core/operations";
import { UpstreamFault } from "../../../transport/fault.ts";
import type { Adapter, Line, Progress, Trouble } from "../../adapter.ts";
import { LARGEST_STREAM, readBytes } from "../../bytes.ts";
import { CALL_TIMEOUTS, exchange, open, readReply } from "../../call.ts";
import { troubles } from "../../chatstyle.ts";
import { faultOf } from "../../fault.ts";
import { errorOf, refuse, toTrouble, troubleOf } from "../../job-error.ts";
import { unresolved } from "../../source.ts";
import { join } from "../join.ts";
import { imageLosses } from "../losses.ts";
import { imageProgress } from "../picture-result.ts";
import { decodeChunk } from "./decode.ts";
import { encode } from "./encode.ts";
import { readWhole } from "./whole-reply.ts";

/** Pictures of the wire of chat completions: `/images/generations` and `/images/edits`. */
export const chatstyleImage: Adapter<ImageAsk, ImageResult, ImagePreview> = {
  losses: imageLosses("chatstyle"),
  previews: true,
  masks: true,
  async submit(line, ask, preview) {
    const asset = ask.images.find(({ source }) => source.type === "asset");
    if (asset) return refuse(unresolved(asset.at));
    const progress = await order(line, ask, preview);
    if (ask.responseFormat === undefined || !isFormRefused(progress)) return progress;
    const { responseFormat: _, ...formless } = ask;
    return order(line, formless, preview);
  },
};

async function order(
  line: Line,
  ask: ImageAsk,
  preview: ((preview: ImagePreview) => void) | undefined,
): Promise<Progress<ImageResult>> {
  const call = {
    ...encode(ask, line.model, preview !== undefined),
    timeout: CALL_TIMEOUTS.generate,
    begins: true,
  } as const;
  if (preview) return stream(line, await open(line, call), preview);
  return readWhole(await exchange(line, call), line);
}

/**
 * Whether nothing was made because the request says in which form pictures are handed over: models that have one form
 * refuse the member, and a deployment's name does not show which model it is.
 */
function isFormRefused(progress: Progress<ImageResult>): boolean {
  if (progress.state !== "failed" || progress.trouble.status !== 400) return false;
  const { param, message } = toObject(progress.trouble.body?.error);
  return param === "response_format" || /unknown parameter\W+response_format/i.test(textOf(message) ?? "");
}

/** Reads a streamed reply, or the unary one of a server that does not stream. */
async function stream(
  line: Line,
  response: Response,
  preview: (preview: ImagePreview) => void,
): Promise<Progress<ImageResult>> {
  const streamed = /^text\/event-stream/i.test(response.headers.get("content-type") ?? "");
  if (response.status >= 400 || !streamed || !response.body)
    return readWhole(await readReply(response, line), line);
  const results: ImageResult[] = [];
  try {
    for await (const data of framesOf(response, line.signal)) {
      const chunk = parseJson(data);
      if (!isObject(chunk)) continue;
      if (chunk.error !== undefined || chunk.type === "error") {
        return { state: "failed", trouble: troubleIn(chunk, line) };
      }
      const read = decodeChunk(chunk, line.service.origin);
      if (read && "preview" in read) preview(read.preview);
      else if (read) results.push(read.result);
    }
  } catch (error) {
    throw faultOf(error, line.signal);
  }
  // A stream that ended early may still have been billed.
  if (results.length === 0) throw new UpstreamFault("reset");
  return imageProgress(join(results));
}

/** The most characters of one event: a picture in base64. */
const LIMIT = 64 * 1024 * 1024;

async function* framesOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const machine = readFrames(LIMIT);
  for await (const bytes of readBytes(response, LARGEST_STREAM, signal))
    for (const { data } of machine.step(bytes)) yield data;
  for (const { data } of machine.end()) yield data;
}

/** An error within a stream, which has no status of its own: what the caller caused is a 400. */
function troubleIn(chunk: JsonObject, line: Line): Trouble {
  const body = isObject(chunk.error) ? { error: chunk.error } : { error: chunk };
  const trouble = toTrouble(troubles, errorOf(body), line);
  const isCallers = trouble.kind === "moderated" || trouble.kind === "refused";
  return isCallers ? troubleOf(troubles, { status: 400, body }, line) : trouble;
}
