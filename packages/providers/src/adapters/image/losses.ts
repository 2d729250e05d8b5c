import type { ImageAsk } from "@manifold/core/operations";
import { lossesBy, type Says } from "../losses.ts";

/** How an answer is shaped is ours to see to, whatever shape the provider gives it. */
const always = ["model", "prompt", "images", "size", "numberOfImages", "responseFormat"] as const;

const says = {
  chatstyle: {
    says: ["outputFormat", "quality", "background", "outputCompression", "style", "user", "extra"],
    implied: { watermark: false },
  },
  mediastyle: { says: ["guidanceScale", "outputFormat", "background", "watermark", "optimizePromptOptions"] },
  genstyle: { says: [], implied: { watermark: false } },
  routerstyle: {
    says: ["outputFormat", "quality", "background", "outputCompression"],
    implied: { watermark: false },
  },
} as const satisfies Record<string, Says<ImageAsk>>;

/** What a wire cannot say of an ask. */
export const imageLosses = (wire: keyof typeof says) => lossesBy<ImageAsk>(always, says[wire]);
