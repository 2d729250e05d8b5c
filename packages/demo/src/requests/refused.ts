import { question } from "../texts.ts";
import type { CreateRequest } from "./traffic-request.ts";

const path = "/api/chatstyle/v1/chat/completions";

/** Requests that are refused before any provider is called. */
const REFUSED_REQUESTS: readonly CreateRequest[] = [
  (random) => ({
    path,
    body: { model: "sim-lrage", messages: [{ role: "user", content: question(random) }] },
  }),
  () => ({ path, body: { model: "sim-chat", messages: "Hello" } }),
  () => ({
    path: "/api/v1/video/generations",
    body: { model: "sim-video", content: [{ type: "text", text: "A boat." }], duration: 90 },
  }),
];

export const createRefusedRequest: CreateRequest = (random, models) =>
  random.pick(REFUSED_REQUESTS)(random, models);
