import { signedWire } from "../envelope.ts";
import type { Wire } from "../protocol.ts";
import type { Route } from "../route.ts";
import { createSound } from "./create.ts";
import { breakOff, refuse } from "./errors.ts";
import { sayInEvents, sayInLines } from "./say.ts";
import { listVoices } from "./voices.ts";

const protocol: Wire = {
  name: "speechstyle",
  // Older accounts have an id and a key instead of one key.
  key: (headers) => headers["x-api-key"] || (headers["x-api-app-id"] && headers["x-api-access-key"]),
  refuse,
  breakOff,
};
const at = (path: string): RegExp => new RegExp(`^/api/v3/tts/${path}$`);
const post = { method: "POST", protocol, operation: "speech" } as const;

/** Texts said, sounds made from descriptions, and the voices there are. */
export const speechstyle: Route[] = [
  { ...post, path: at("unidirectional"), media: sayInLines },
  { ...post, path: at("unidirectional/sse"), media: sayInEvents },
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
