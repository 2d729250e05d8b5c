import type { VideoAsk } from "@manifold-gateway/core/operations";
import { lossesBy, type Says } from "../losses.ts";

const always = ["model", "parts", "duration", "resolution", "ratio", "seed"] as const;

const says = {
  mediastyle: { says: ["generateAudio", "watermark", "cameraFixed"] },
  routerstyle: { says: ["generateAudio", "watermark"], implied: { cameraFixed: false } },
  predictstyle: { says: ["generateAudio"], implied: { watermark: false, cameraFixed: false } },
  genstyle: { says: [], implied: { generateAudio: true, watermark: false, cameraFixed: false } },
} as const satisfies Record<string, Says<VideoAsk>>;

/** The losses of a request on a wire. */
export const videoLosses = (wire: keyof typeof says) => lossesBy<VideoAsk>(always, says[wire]);
