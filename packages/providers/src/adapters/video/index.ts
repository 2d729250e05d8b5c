import type { VideoAsk, VideoResult } from "@manifold-gateway/core/operations";
import type { Adapter, Wire } from "../adapter.ts";
import { genstyleVideo } from "./genstyle/index.ts";
import { mediastyleVideo } from "./mediastyle/index.ts";
import { predictstyleVideo } from "./predictstyle.ts";
import { routerstyleVideo } from "./routerstyle/index.ts";

/** An adapter for videos. */
export type VideoAdapter = Adapter<VideoAsk, VideoResult>;

/** The adapters for videos, by wire. */
export const videoAdapters: Partial<Record<Wire, VideoAdapter>> = {
  genstyle: genstyleVideo,
  mediastyle: mediastyleVideo,
  predictstyle: predictstyleVideo,
  routerstyle: routerstyleVideo,
};
