import { areaOf, ruleOf } from "../../capability/area.ts";
import { fieldOf, show } from "../../capability/message-text.ts";
import type { Capabilities } from "../../capability/schema.ts";
import type { Rejection } from "../../plan/rejection.ts";
import type { Origins } from "../../translate/origins.ts";
import type { OperationIssue } from "../codec.ts";
import {
  type OperationPlan,
  type OperationPlanOptions,
  type OperationSource,
  type OperationTarget,
  planOperation,
} from "../plan.ts";
import type { TranscriptionCodec } from "./codec.ts";
import type { TranscriptFormat, TranscriptionRequest } from "./ir.ts";

/** A caller's request for a transcription. */
export interface TranscriptionSource extends OperationSource<TranscriptionRequest> {
  codec: TranscriptionCodec;
}

/** A model of a provider, on the wire on which it transcribes. */
export interface TranscriptionTarget extends OperationTarget<TranscriptionRequest> {
  codec: TranscriptionCodec;
}

/** A request for a transcription as a call of one provider. */
export interface TranscriptionPlan extends OperationPlan<TranscriptionRequest> {
  /** The form in which the caller wants the answer, of which the provider may give another. */
  requested: TranscriptFormat;
}

/** Forms that hold all of another one, so that it can be made of them. */
const sources: Partial<Record<TranscriptFormat, readonly TranscriptFormat[]>> = {
  text: ["json", "verbose_json"],
  srt: ["verbose_json"],
  vtt: ["verbose_json"],
};

/** The first form that the model gives, among those that the caller's can be made of. */
function formatFor(requested: TranscriptFormat, capabilities: Capabilities | undefined): TranscriptFormat {
  const rule = ruleOf(areaOf(capabilities, "transcription"), "responseFormat");
  const given = rule?.type === "enum" ? (rule.values as readonly unknown[]) : undefined;
  if (!given || given.includes(requested)) return requested;
  return sources[requested]?.find((format) => given.includes(format)) ?? requested;
}

/** Finds what the target's wire does not take of the recording. */
function checkRecording(
  { file }: TranscriptionRequest,
  { mediaTypes }: Pick<TranscriptionCodec, "mediaTypes">,
  { model, origins }: { model: string; origins: Origins },
): OperationIssue[] {
  if (!mediaTypes || mediaTypes.includes(file.mediaType)) return [];
  const path = origins.get(file) ?? "/file";
  const text = `the recording is ${file.mediaType}; only ${mediaTypes.join(", ")} are accepted`;
  return [{ path, message: `${fieldOf(path)}: ${text} (model ${show(model)})` }];
}

/** Clients ask for times with any form of an answer, but only one form has them: vendors ignore them elsewhere. */
function withTimes(
  { losses, settings, parameters }: TranscriptionPlan["lost"],
  { facts }: Pick<TranscriptionCodec, "facts">,
): TranscriptionPlan["lost"] {
  const [path = "/timestampGranularities"] = facts.params.timestampGranularities ?? [];
  const loss = { path, why: "unsupported", detail: "the form of the answer has no times" } as const;
  return { losses: [...losses, loss], settings: [...settings, loss], parameters };
}

/** Plans a request for a transcription for one target, or rejects it with every rule that it breaks. */
export function planTranscription(
  source: TranscriptionSource,
  target: TranscriptionTarget,
  { others }: Pick<OperationPlanOptions<TranscriptionRequest>, "others"> = {},
): TranscriptionPlan | Rejection {
  const { codec, capabilities } = target;
  let requested: TranscriptFormat = "json";
  let place = "/file";
  let isTimed = true;
  const planned = planOperation(
    {
      operation: "transcription",
      check: (request, origins) => checkRecording(request, codec, { model: source.model, origins }),
      parts: ({ file: { mediaType, bytes, seconds } }) => [
        {
          kind: "audio",
          path: place,
          form: "base64",
          mediaType,
          bytes,
          ...(seconds !== undefined && { seconds }),
        },
      ],
      callsOf: ({ stream, ...request }) => [{ ...request, ...(stream && codec.stream && { stream }) }],
      contentAt: ({ responseFormat }, path) =>
        path === "/responseFormat" ? `the form ${JSON.stringify(responseFormat)}` : undefined,
    },
    source,
    target,
    {
      others,
      adapt(request, origins) {
        place = origins.get(request.file) ?? place;
        requested = request.responseFormat ?? "json";
        isTimed = requested === "verbose_json" || request.timestampGranularities === undefined;
        const { timestampGranularities: times, ...untimed } = request;
        const responseFormat = formatFor(requested, capabilities);
        return {
          ...untimed,
          ...(isTimed && times && { timestampGranularities: times }),
          ...(request.responseFormat !== undefined && { responseFormat }),
        };
      },
    },
  );
  if (!("calls" in planned)) return planned;
  return { ...planned, requested, lost: isTimed ? planned.lost : withTimes(planned.lost, source.codec) };
}
