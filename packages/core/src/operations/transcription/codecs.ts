import type { OperationWires } from "../endpoint.ts";
import { chatstyleTranscription } from "./chatstyle/index.ts";
import type { TranscriptionCodec } from "./codec.ts";
import { genstyleTranscription } from "./genstyle.ts";

/** All wires on which providers transcribe. */
export const transcriptionOperation: OperationWires<TranscriptionCodec> = {
  service: "transcription",
  protocols: { chatstyle: chatstyleTranscription, genstyle: genstyleTranscription },
  services: { chatstyle: chatstyleTranscription },
};
