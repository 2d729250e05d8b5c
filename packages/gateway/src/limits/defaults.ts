import type { HoldFigures, Limits } from "../ports/limits.ts";

export const defaultHoldFigures: HoldFigures = {
  imageTokens: 1_600,
  fileTokens: 100_000,
  outputTokens: 32_768,
  toolCalls: 10,
  toolCallTokens: 8_192,
};

export const defaultLimits: Limits = {
  keys: 100,
  generation: 15 * 60_000,
  drain: 10 * 60_000,
  clientWriteTimeout: 60_000,
  clientBodyTimeout: 60_000,
  bodyBytes: 512 * 1024 * 1024,
  bodyBytesPerKey: 256 * 1024 * 1024,
  answer: 32 * 1024 * 1024,
  stream: 256 * 1024 * 1024,
  concurrentRequests: 500,
  streams: 500,
  counts: 300,
  webSockets: 100,
  webSocketIdleTimeout: 10 * 60_000,
};
