import { provider } from "../../protocols/genstyle/provider.ts";
import { promptedTranscription } from "./prompted/index.ts";

/** Transcription by models of generate-content that take audio: a second of sound is 32 tokens. */
export const genstyleTranscription = promptedTranscription(provider, {
  // The developers' API documents all but the last two, the cloud's all.
  mediaTypes: ["audio/wav", "audio/mpeg", "audio/aac", "audio/ogg", "audio/flac", "audio/mp4", "audio/webm"],
  tokensPerSecond: 32,
});
