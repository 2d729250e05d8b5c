import type { SpeechAsk, SpeechResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../adapter.ts";
import { chatstyle } from "./chatstyle.ts";
import { speechstyle } from "./speechstyle/index.ts";

/** The adapters for speech, by wire. */
export const speech = { chatstyle, speechstyle } as const satisfies Record<
  string,
  Adapter<SpeechAsk, SpeechResult>
>;
