import { show } from "../../capability/message-text.ts";
import type { SpeechAsk } from "./ask.ts";
import { findVoice } from "./voices/find.ts";
import type { Voice } from "./voices/voice.ts";

/** One rule that an ask does not meet. The message names the field and, where it is known, the model. */
export interface SpeechIssue {
  /** JSON pointer into the body. */
  path: string;
  message: string;
}

/** The user-facing model of an ask: a reading's follows from its voice, and an unknown voice has none. */
export function modelOfSpeech(ask: SpeechAsk, voices: readonly Voice[]): string | undefined {
  return ask.product === "text-to-speech" ? findVoice(voices, ask.voiceType)?.resourceId : ask.model;
}

/** Compares an ask with what its voice takes. */
export function checkSpeech(ask: SpeechAsk, voices: readonly Voice[]): SpeechIssue[] {
  if (ask.product !== "text-to-speech") return [];
  const voice = findVoice(voices, ask.voiceType);
  const named = JSON.stringify(ask.voiceType.slice(0, 100));
  if (!voice)
    return [{ path: "/voiceType", message: `voiceType: ${named} is not a voiceType of the voice catalog` }];
  if (voice.capabilities.contextTexts || !ask.contextTexts?.length) return [];
  const able = [...new Set(voices.filter(takesContext).map((one) => one.resourceId))].sort().join(", ");
  const message = `contextTexts: is supported by voices of ${able || "no model"} only, not by ${named} (model ${show(voice.resourceId)})`;
  return [{ path: "/contextTexts", message }];
}

const takesContext = (voice: Voice): boolean => voice.capabilities.contextTexts;
