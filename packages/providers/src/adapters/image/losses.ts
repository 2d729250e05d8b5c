import type { ImageAsk } from "@manifold-gateway/core/operations";
import { lossesBy, type Says } from "../losses.ts";
import { genstyleMembers } from "./genstyle/encode.ts";
import { mediastyleMembers } from "./mediastyle/encode.ts";
import { routerMembers } from "./routerstyle/encode.ts";

/** The members that never are losses: the gateway converts the form of an answer itself. */
const always = ["model", "prompt", "images", "size", "numberOfImages", "responseFormat"] as const;

const says = {
  chatstyle: {
    says: ["outputFormat", "quality", "background", "outputCompression", "style", "user", "extra"],
    implied: { watermark: false },
  },
  mediastyle: {
    says: ["guidanceScale", "outputFormat", "background", "watermark", "optimizePromptOptions"],
    implied: { quality: "auto" },
    members: mediastyleMembers,
  },
  genstyle: {
    says: [],
    implied: { watermark: false, quality: "auto", background: "auto" },
    members: genstyleMembers,
  },
  pixelstyle: {
    says: ["outputFormat", "extra"],
    implied: { watermark: false, quality: "auto", background: "auto" },
  },
  ratiostyle: {
    says: ["user", "extra"],
    implied: { watermark: false, quality: "auto", background: "auto" },
  },
  routerstyle: {
    says: ["outputFormat", "quality", "background", "outputCompression"],
    implied: { watermark: false },
    members: routerMembers,
  },
} as const satisfies Record<string, Says<ImageAsk>>;

/** The losses of a request on a wire. */
export const imageLosses = (wire: keyof typeof says) => lossesBy<ImageAsk>(always, says[wire]);
