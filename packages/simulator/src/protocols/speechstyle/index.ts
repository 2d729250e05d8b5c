import { signedWire } from "../envelope.ts";
import type { Wire } from "../protocol.ts";
import type { Route } from "../route.ts";
import { createSound } from "./create.ts";
import { refuse, streamError } from "./errors.ts";
import { speakInEvents, speakInLines } from "./speech-stream.ts";
import { listVoices } from "./voices.ts";

const protocol: Wire = {
  name: "speechstyle",
  // Older accounts have an id and a key instead of one key.
  key: (headers) => headers["x-api-key"] || (headers["x-api-app-id"] && headers["x-api-access-key"]),
  refuse,
  streamError,
};
const at = (path: string): RegExp => new RegExp(`^/api/v3/tts/${path}$`);
const post = { method: "POST", protocol, operation: "speech" } as const;

/** Texts said, sounds made from descriptions, and the voices there are. */
export const speechstyle: Route[] = [
  { ...post, path: at("unidirectional"), media: speakInLines },
  { ...post, path: at("unidirectional/sse"), media: speakInEvents },
  { ...post, path: at("create"), media: createSound },
  {
    method: "POST",
    path: /^\/$/,
    action: "ListSpeakers",
    protocol: signedWire("speechstyle"),
    operation: "voices",
    media: listVoices,
  },
];
