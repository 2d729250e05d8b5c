import { bearer, type Wire } from "../protocol.ts";
import type { Route } from "../route.ts";
import { embed } from "./embed.ts";
import { refuse, streamError } from "./errors.ts";
import { generateImages } from "./images.ts";
import { content, listModels, poll, submit } from "./videos.ts";

const protocol: Wire = { name: "routerstyle", key: bearer, refuse, streamError };
const at = (path: string): RegExp => new RegExp(`^/api/v1/${path}$`);

/** Films, images and embeddings of many vendors behind one door. */
export const routerstyle: Route[] = [
  { method: "POST", path: at("videos"), protocol, operation: "video", media: submit },
  { method: "GET", path: at("videos/models"), protocol, operation: "models", media: listModels },
  { method: "GET", path: at("videos/(?<id>[^/]+)"), protocol, operation: "task", media: poll },
  { method: "GET", path: at("videos/(?<id>[^/]+)/content"), protocol, operation: "file", media: content },
  { method: "POST", path: at("images"), protocol, operation: "image", media: generateImages },
  { method: "POST", path: at("embeddings"), protocol, operation: "embed", media: embed },
];
