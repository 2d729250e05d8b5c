import { question } from "../words.ts";
import type { Asking } from "./ask.ts";

const path = "/api/chatstyle/v1/chat/completions";

/** Requests that are refused before any provider is called. */
const WAYS: readonly Asking[] = [
  (chance) => ({
    path,
    body: { model: "sim-lrage", messages: [{ role: "user", content: question(chance) }] },
  }),
  () => ({ path, body: { model: "sim-chat", messages: "Hello" } }),
  () => ({
    path: "/api/v1/video/generations",
    body: { model: "sim-video", content: [{ type: "text", text: "A boat." }], duration: 90 },
  }),
];

export const askRefused: Asking = (chance, models) => chance.pick(WAYS)(chance, models);
