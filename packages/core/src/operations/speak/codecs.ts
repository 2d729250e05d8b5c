import type { OperationWires } from "../endpoint.ts";
import { chatstyleSpeak } from "./chatstyle.ts";
import type { SpeakCodec } from "./codec.ts";
import { genstyleSpeak } from "./genstyle.ts";
import { speechstyleSpeak } from "./speechstyle.ts";

/** All wires on which providers speak. */
export const speakOperation: OperationWires<SpeakCodec> = {
  service: "speech",
  protocols: { chatstyle: chatstyleSpeak, genstyle: genstyleSpeak },
  services: { chatstyle: chatstyleSpeak, genstyle: genstyleSpeak, speechstyle: speechstyleSpeak },
};
