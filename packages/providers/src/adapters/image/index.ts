import type { ImageAsk, ImagePreview, ImageResult } from "@manifold-gateway/core/operations";
import type { Adapter, Wire } from "../adapter.ts";
import { chatstyleImage } from "./chatstyle/index.ts";
import { genstyleImage } from "./genstyle/index.ts";
import { mediastyleImage } from "./mediastyle/index.ts";
import { pixelstyleImage } from "./pixelstyle.ts";
import { ratiostyleImage } from "./ratiostyle/index.ts";
import { routerstyleImage } from "./routerstyle/index.ts";

/** An adapter for pictures. */
export type ImageAdapter = Adapter<ImageAsk, ImageResult, ImagePreview>;

/** The adapters for pictures, by wire. */
export const imageAdapters: Partial<Record<Wire, ImageAdapter>> = {
  chatstyle: chatstyleImage,
  genstyle: genstyleImage,
  mediastyle: mediastyleImage,
  pixelstyle: pixelstyleImage,
  ratiostyle: ratiostyleImage,
  routerstyle: routerstyleImage,
};
