import { areaOf, ruleOf } from "../../capability/area.ts";
import { fieldOf, show } from "../../capability/message-text.ts";
import type { Capabilities } from "../../capability/schema.ts";
import type { Rejection } from "../../plan/rejection.ts";
import type { OperationIssue } from "../codec.ts";
import {
  type OperationPlan,
  type OperationPlanOptions,
  type OperationSource,
  type OperationTarget,
  planOperation,
} from "../plan.ts";
import { findVoice } from "../speech/voices/find.ts";
import type { Voice } from "../speech/voices/voice.ts";
import type { SpeakCodec } from "./codec.ts";
import type { SpeakRequest, SpeechFormat } from "./ir.ts";

/** A caller's request for speech. */
export interface SpeakSource extends OperationSource<SpeakRequest> {
  codec: SpeakCodec;
}

/** A model of a provider, on the wire on which it speaks. */
export interface SpeakTarget extends OperationTarget<SpeakRequest> {
  codec: SpeakCodec;
  /** The voices of the catalog. Default: none. */
  voices?: readonly Voice[];
}

/** A request for speech as a call of one provider. */
export interface SpeakPlan extends OperationPlan<SpeakRequest> {
  /** The format that the caller gets. */
  format: SpeechFormat;
  /** The provider sends raw audio, which becomes a WAV file here. */
  wraps: boolean;
}

/** The format that the provider makes, and what the caller gets of it. */
interface Fitted {
  source: SpeechFormat;
  format: SpeechFormat;
}

/** Finds what the target makes of a format: itself, raw audio that becomes a file, or nothing. */
function fit(
  requested: SpeechFormat | undefined,
  { formats }: Pick<SpeakCodec, "formats">,
  capabilities: Capabilities | undefined,
): Fitted | undefined {
  const rule = ruleOf(areaOf(capabilities, "speech"), "format");
  const allowed = rule?.type === "enum" ? (rule.values as readonly unknown[]) : undefined;
  const given = formats.filter((format) => allowed === undefined || allowed.includes(format));
  const wanted = requested ?? "mp3";
  if (given.includes(wanted)) return { source: wanted, format: wanted };
  if (given.includes("pcm") && (wanted === "wav" || requested === undefined))
    return { source: "pcm", format: "wav" };
  const [first] = given;
  return requested === undefined && first ? { source: first, format: first } : undefined;
}

/** Where the caller's wire has a parameter. */
const pointerOf = (name: keyof SpeakRequest, { facts }: Pick<SpeakCodec, "facts">): string =>
  facts.params[name]?.[0] ?? `/${name}`;

function checkVoice(
  { voiceType, instructions }: SpeakRequest,
  { model, codec, voices = [] }: SpeakTarget,
  { model: callerModel, codec: caller }: SpeakSource,
): OperationIssue[] {
  // Models that are not of the catalog's voices have others, such as cloned ones.
  if (!codec.voices || !voices.some(({ resourceId }) => resourceId === model)) return [];
  const suffix = `(model ${show(callerModel)})`;
  const voice = findVoice(voices, voiceType);
  const named = JSON.stringify(voiceType.slice(0, 100));
  if (voice?.resourceId !== model) {
    const text = voice
      ? `${named} is a voice of ${voice.resourceId}`
      : `${named} is not a voiceType of the voice catalog`;
    const path = pointerOf("voiceType", caller);
    return [{ path, message: `${fieldOf(path)}: ${text} ${suffix}` }];
  }
  if (instructions === undefined || voice.capabilities.contextTexts) return [];
  const path = pointerOf("instructions", caller);
  return [{ path, message: `${fieldOf(path)}: the voice ${named} takes none ${suffix}` }];
}

/** Plans a request for speech for one target, or rejects it with every rule that it breaks. */
export function planSpeak(
  source: SpeakSource,
  target: SpeakTarget,
  { others, user }: Pick<OperationPlanOptions<SpeakRequest>, "others"> & { user?: string } = {},
): SpeakPlan | Rejection {
  const { codec, capabilities } = target;
  let fitted: Fitted | undefined;
  const place = pointerOf("format", source.codec);
  const planned = planOperation(
    {
      operation: "speech",
      check(request) {
        const issues = checkVoice(request, target, source);
        if (fitted) return issues;
        const formats = codec.formats.includes("pcm")
          ? [...new Set([...codec.formats, "wav"])]
          : codec.formats;
        const text = `must be one of ${formats.join(", ")}, not ${request.format ?? "mp3"}`;
        const message = `${fieldOf(place)}: ${text} (model ${show(source.model)})`;
        return [...issues, { path: place, message }];
      },
      callsOf: ({ format, ...request }) => {
        const sent = fitted?.source ?? format;
        // What is not the usual format of the wire has to be said.
        return [
          {
            ...request,
            ...(sent !== undefined && (format !== undefined || sent !== "mp3") && { format: sent }),
          },
        ];
      },
    },
    source,
    target,
    {
      others,
      adapt(request) {
        fitted = fit(request.format, codec, capabilities);
        const { format, ...rest } = request;
        const sent = format && (fitted?.source ?? format);
        return { ...rest, ...(sent && { format: sent }), ...(user !== undefined && { user }) };
      },
    },
  );
  if (!("calls" in planned)) return planned;
  const { source: sent, format } = fitted as Fitted;
  const isOther = planned.request.format === undefined && format !== "mp3";
  const loss = {
    path: place,
    why: "approximated",
    detail: `the model makes ${format}`,
  } as const;
  const { losses, settings, parameters } = planned.lost;
  return {
    ...planned,
    format,
    wraps: sent === "pcm" && format === "wav",
    lost: isOther ? { losses: [...losses, loss], settings: [...settings, loss], parameters } : planned.lost,
  };
}
