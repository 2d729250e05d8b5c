export type { Line, Progress, Service, Trouble } from "./adapters/adapter.ts";
export { createLineClient } from "./adapters/client.ts";
export { type ImageAdapter, imageAdapters } from "./adapters/image/index.ts";
