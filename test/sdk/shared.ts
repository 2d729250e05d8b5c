import type { UpstreamProtocol } from "@manifold/providers";

/** What every client asks of every model. The simulator answers by what the last user text says. */
export const WEATHER = {
  name: "get_weather",
  description: "The weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, unit: { type: "string", enum: ["c", "f"] } },
    required: ["city"],
    additionalProperties: false,
  },
};
export const CALL = '[[call:get_weather {"city":"Paris","unit":"c"}]]';
export const TWO_CALLS = '[[call:get_weather {"city":"Paris"}]] [[call:get_weather {"city":"Oslo"}]]';
export const ANSWER_SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name", "age"],
  additionalProperties: false,
};
/** A PNG of one pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Models of every upstream protocol, and how each is asked to think by a client of any surface. */
export const MODELS: readonly { model: string; protocol: UpstreamProtocol }[] = [
  { model: "sim-chatstyle", protocol: "chatstyle" },
  { model: "sim-responses", protocol: "responses" },
  { model: "sim-msgstyle", protocol: "msgstyle" },
  { model: "sim-genstyle", protocol: "genstyle" },
];
