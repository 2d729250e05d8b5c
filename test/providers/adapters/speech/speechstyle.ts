import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { SpeechResult } from "@manifold-gateway/core/operations";
import { expect } from "vitest";
import type { Progress } from "../../../../packages/providers/src/adapters/adapter.ts";

export const base64 = (text: string): string => Buffer.from(text).toString("base64");
export const audio = (text: string): JsonObject => ({ code: 0, message: "", data: base64(text) });
export const done: JsonObject = { code: 20000000, message: "ok", data: null, usage: { text_words: 6 } };
/** Objects as the provider writes them one after the other. */
export const lines = (objects: Json[]): string => objects.map((one) => JSON.stringify(one)).join("\n");
/** The audio of a success, as text. */
export const bytesOf = (progress: unknown): string => {
  const { state, result } = progress as Extract<Progress<SpeechResult>, { state: "succeeded" }>;
  expect(state).toBe("succeeded");
  return result.audio.type === "bytes" ? Buffer.from(result.audio.bytes).toString() : result.audio.type;
};
