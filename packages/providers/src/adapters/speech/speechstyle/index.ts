import { randomUUID } from "node:crypto";
import { readFrames } from "@manifold-gateway/core";
import { type JsonObject, type Machine, parseObject } from "@manifold-gateway/core/codec";
import {
  encodeReading,
  encodeReference,
  type GenerationWithReference,
  readGenerated,
  readItems,
  readObjects,
  type SpeechAsk,
  type SpeechResult,
  speechFiles,
  type TextToSpeech,
} from "@manifold-gateway/core/operations";
import { UpstreamFault } from "../../../transport/fault.ts";
import type { Adapter, Line, Progress } from "../../adapter.ts";
import { LARGEST_REPLY, readBytes, readJson } from "../../bytes.ts";
import { CALL_TIMEOUTS, open } from "../../call.ts";
import { faultOf } from "../../fault.ts";
import { toTrouble, type WireError } from "../../job-error.ts";
import { isTransient, troubles } from "./troubles.ts";

const FRAME = 16 * 1024 * 1024;

type End = Exclude<Progress<SpeechResult>, { state: "queued" | "running" }>;

const failed = (line: Line, error: WireError): End => ({
  state: "failed",
  trouble: toTrouble(troubles, error, line),
});

/** Reads server-sent events, each of which contains one object. */
function readEvents(): Machine<Uint8Array, JsonObject> {
  const frames = readFrames(FRAME);
  const toObjects = (read: { data: string }[]): JsonObject[] =>
    read.flatMap<JsonObject>(({ data }) => parseObject(data) ?? []);
  return { step: (bytes) => toObjects(frames.step(bytes)), end: () => toObjects(frames.end()) };
}

async function* objectsOf(response: Response, signal: AbortSignal): AsyncGenerator<JsonObject, void> {
  const events = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
  const machine = events ? readEvents() : readObjects(FRAME);
  try {
    for await (const bytes of readBytes(response, LARGEST_REPLY, signal)) yield* machine.step(bytes);
    yield* machine.end();
  } catch (error) {
    throw faultOf(error, signal);
  }
}

async function speakText(line: Line, ask: TextToSpeech): Promise<End> {
  const response = await open(line, {
    method: "POST",
    path: line.service.events ? "/tts/unidirectional/sse" : "/tts/unidirectional",
    json: encodeReading(ask, line.user),
    headers: {
      "x-api-resource-id": line.model,
      "x-api-request-id": randomUUID(),
      "x-control-require-usage-tokens-return": "*",
    },
    timeout: CALL_TIMEOUTS.generate,
    begins: true,
  });
  const status = response.status >= 400 ? response.status : undefined;
  const pieces: Uint8Array[] = [];
  for await (const object of objectsOf(response, line.signal))
    for (const item of readItems(object)) {
      if (item.type === "failure") return failed(line, { ...item.error, status });
      if (item.type === "audio") pieces.push(Buffer.from(item.data, "base64"));
      else if (pieces.some((piece) => piece.length > 0)) {
        const { characters } = item;
        const made = {
          mediaType: speechFiles[ask.format].mediaType,
          ...(characters !== undefined && { characters }),
        };
        return {
          state: "succeeded",
          result: { ...made, audio: { type: "bytes", bytes: Buffer.concat(pieces) } },
        };
      } else return failed(line, { message: "The provider generated no audio." });
    }
  if (status !== undefined) return failed(line, { status });
  // Audio without its end may be incomplete.
  throw new UpstreamFault("reset");
}

async function generateSpeech(line: Line, ask: GenerationWithReference): Promise<End> {
  const response = await open(line, {
    method: "POST",
    path: "/tts/create",
    json: encodeReference(ask, line.model),
    headers: { "x-api-request-id": randomUUID() },
    timeout: CALL_TIMEOUTS.generate,
    begins: true,
  });
  const generated = readGenerated((await readJson(response, LARGEST_REPLY, line.signal)) ?? null);
  const status = response.status >= 400 ? response.status : undefined;
  if ("error" in generated) return failed(line, { ...generated.error, status });
  const { output, data } = generated;
  const result = { ...output, mediaType: speechFiles[ask.format].mediaType };
  if (data !== undefined) {
    const bytes = Buffer.from(data, "base64");
    return { state: "succeeded", result: { ...result, audio: { type: "bytes", bytes } } };
  }
  return { state: "succeeded", result: { ...result, audio: { type: "url", url: output.providerUrl ?? "" } } };
}

/** The speech services of the media vendor: text to speech, and generation with reference, each in one exchange. */
export const speechstyle: Adapter<SpeechAsk, SpeechResult> = {
  async submit(line, ask) {
    const attempt = () =>
      ask.product === "text-to-speech" ? speakText(line, ask) : generateSpeech(line, ask);
    const first = await attempt();
    return first.state === "failed" && isTransient(first.trouble.code) ? attempt() : first;
  },
};
