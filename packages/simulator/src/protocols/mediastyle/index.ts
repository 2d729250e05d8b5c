import { signedWire } from "../envelope.ts";
import { bearer, type Wire } from "../protocol.ts";
import type { Route } from "../route.ts";
import { assetLibrary } from "./assets.ts";
import { embedMultimodal, embedText } from "./embed.ts";
import { refuse, streamError } from "./errors.ts";
import { generateImages } from "./images.ts";
import { cancelTask, getTask, listTasks } from "./tasks.ts";
import { createVideo } from "./videos.ts";

const protocol: Wire = { name: "mediastyle", key: bearer, refuse, streamError };
const signed = signedWire("mediastyle");
const tasks = "contents/generations/tasks";
const at = (path: string): RegExp => new RegExp(`^/api/v3/${path}$`);

const library = (action: string | undefined, operation: Route["operation"]): Route[] => [
  { method: "POST", path: /^\/$/, action, protocol: signed, operation, media: assetLibrary },
];

/** Images, films, embeddings, and the signed library of assets. */
export const mediastyle: Route[] = [
  { method: "POST", path: at("images/generations"), protocol, operation: "image", media: generateImages },
  { method: "POST", path: at(tasks), protocol, operation: "video", media: createVideo },
  { method: "GET", path: at(tasks), protocol, operation: "tasks", media: listTasks },
  { method: "GET", path: at(`${tasks}/(?<id>[^/]+)`), protocol, operation: "task", media: getTask },
  { method: "DELETE", path: at(`${tasks}/(?<id>[^/]+)`), protocol, operation: "cancel", media: cancelTask },
  { method: "POST", path: at("embeddings/multimodal"), protocol, operation: "embed", media: embedMultimodal },
  { method: "POST", path: at("embeddings"), protocol, operation: "embed", media: embedText },
  ...library("CreateAsset", "asset"),
  ...library("GetAsset", "task"),
  ...library("ListAssets", "tasks"),
  ...library(undefined, "library"),
];
