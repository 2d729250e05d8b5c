import { provider } from "../../protocols/genstyle/provider.ts";
import { promptedTranscription } from "./prompted/index.ts";

/** Transcription by models of generate-content that take audio: a second of sound is 32 tokens. */
export const genstyleTranscription = promptedTranscription(provider, {
  mediaTypes: ["audio/wav", "audio/mpeg", "audio/aac", "audio/ogg", "audio/flac"],
  tokensPerSecond: 32,
});
