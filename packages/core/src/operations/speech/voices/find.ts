import type { Voice } from "./voice.ts";

/** The voice of a name. Names are exact. */
export const findVoice = (voices: readonly Voice[], voiceType: string): Voice | undefined =>
  voices.find((voice) => voice.voiceType === voiceType);
