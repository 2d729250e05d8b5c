import type { Chapter } from "../feature.ts";

const marked = (type: string) => ({ type, text: "A long story.", cache_control: { type: "ephemeral" } });
const short = "user-1234";
const long = "user-".padEnd(80, "0123456789");

/** What concerns the service of the provider rather than the answer. */
export const service: Chapter = {
  title: "Service",
  way: "ask",
  features: [
    {
      name: "Cache marks",
      said: {
        chatstyle: { messages: [{ role: "user", content: [marked("text")] }] },
        msgstyle: { messages: [{ role: "user", content: [marked("text")] }] },
      },
    },
    {
      name: "Cache mark on system text",
      said: { msgstyle: { system: [marked("text")] } },
    },
    {
      name: "Cache mark on a tool",
      said: {
        msgstyle: {
          tools: [
            {
              name: "weather",
              input_schema: { type: "object" },
              cache_control: { type: "ephemeral", ttl: "1h" },
            },
          ],
        },
      },
    },
    {
      name: "Cache key",
      said: { chatstyle: { prompt_cache_key: "k-1" }, responses: { prompt_cache_key: "k-1" } },
    },
    {
      name: "Cached content, by name",
      said: { genstyle: { cachedContent: "cachedContents/abc" } },
    },
    {
      name: "Earlier response, by id",
      said: { responses: { previous_response_id: "resp_1" } },
    },
    {
      name: "Service tier",
      said: {
        chatstyle: { service_tier: "priority" },
        responses: { service_tier: "priority" },
        genstyle: { serviceTier: "priority" },
      },
    },
    {
      name: "Service tier: the usual one only",
      said: {
        chatstyle: { service_tier: "default" },
        responses: { service_tier: "default" },
        msgstyle: { service_tier: "standard_only" },
        genstyle: { serviceTier: "standard" },
        conversestyle: { serviceTier: { type: "default" } },
      },
    },
    {
      name: "End user",
      said: {
        chatstyle: { user: short },
        responses: { safety_identifier: short },
        msgstyle: { metadata: { user_id: short } },
      },
    },
    {
      name: "End user of more than 64 characters",
      word: long.slice(0, 64),
      said: { msgstyle: { metadata: { user_id: long } } },
    },
    {
      name: "Labels",
      said: {
        chatstyle: { metadata: { team: "blue" } },
        responses: { metadata: { team: "blue" } },
        genstyle: { labels: { team: "blue" } },
      },
    },
    {
      name: "Storage by the provider",
      said: { chatstyle: { store: true }, responses: { store: true } },
    },
    {
      name: "Safety settings",
      said: {
        genstyle: { safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }] },
      },
    },
    {
      name: "Shape of generated pictures",
      traits: { extensions: ["image_config"] },
      said: {
        chatstyle: { image_config: { aspect_ratio: "16:9", image_size: "2K" } },
        genstyle: { generationConfig: { imageConfig: { aspectRatio: "16:9", imageSize: "2K" } } },
      },
    },
    {
      name: "Output modalities",
      traits: { extensions: ["modalities"] },
      said: {
        chatstyle: { modalities: ["text", "image"] },
        genstyle: { generationConfig: { responseModalities: ["TEXT", "IMAGE"] } },
      },
    },
    {
      name: "Voice of an answer",
      traits: { extensions: ["audio"] },
      said: {
        chatstyle: { audio: { voice: "Kore" } },
        genstyle: {
          generationConfig: {
            speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
          },
        },
      },
    },
    {
      name: "An unknown field",
      said: Object.fromEntries(
        (["chatstyle", "responses", "msgstyle", "genstyle"] as const).map((each) => [each, { xField: 1 }]),
      ),
    },
  ],
};
