import { asset } from "./asset/index.ts";
import { imageAdapters } from "./image/index.ts";
import { speech } from "./speech/index.ts";
import { videoAdapters } from "./video/index.ts";

export type { Adapter, Line, Operation, Progress, Service, Trouble, Wire } from "./adapter.ts";
export { type AssetAdapter, localAsset } from "./asset/index.ts";
export { readJson } from "./bytes.ts";
export { createLineClient } from "./client.ts";
export { faultOf } from "./fault.ts";
export type { ImageAdapter } from "./image/index.ts";
export type { VideoAdapter } from "./video/index.ts";

/** The adapters of each operation, by wire. A wire that is not listed does not support the operation. */
export const adapters = { image: imageAdapters, video: videoAdapters, speech, asset };
