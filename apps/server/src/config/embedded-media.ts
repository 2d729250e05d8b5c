/** The providers that the simulator stands in for beside text. Embeddings stand beside a protocol that is spoken. */
export const mediaProviders = {
  "simulator-chatstyle": { protocol: "chatstyle", serves: { image: "chatstyle" } },
  "simulator-genstyle": { protocol: "genstyle", serves: { image: "genstyle", video: "genstyle" } },
  "simulator-media": {
    protocol: "chatstyle",
    serves: { image: "mediastyle", video: "mediastyle", embed: "mediastyle" },
  },
  "simulator-router": {
    protocol: "chatstyle",
    serves: { image: "routerstyle", video: "routerstyle", embed: "routerstyle" },
  },
  "simulator-speech": { serves: { speech: "speechstyle" } },
};

type Row = readonly [
  id: string,
  label: string,
  output: "image" | "video" | "audio" | "embedding",
  provider: string,
  /** What the simulator knows it by: names of real models, whose limits it keeps. */
  name: string,
  more?: { input?: readonly string[]; price?: Record<string, number> },
];

const pictures = ["text", "image"];
const everything = ["text", "image", "audio", "video", "file"];
const token = { price: { input: 0.2, imageInput: 0.45, audioInput: 6.5 } };

const rows: readonly Row[] = [
  ["sim-image", "Simulated image model", "image", "media", "seedream-4-0-250828", { input: pictures }],
  [
    "sim-image-pro",
    "Simulated image model, one at a time",
    "image",
    "media",
    "dola-seedream-5-0-pro-260628",
    { input: pictures },
  ],
  [
    "sim-image-chat",
    "Simulated chat-style image model",
    "image",
    "chatstyle",
    "gpt-image-1.5",
    { input: pictures },
  ],
  [
    "sim-image-generate",
    "Simulated generate-content image model",
    "image",
    "genstyle",
    "gemini-3.1-flash-image",
    { input: pictures, price: { input: 0.5, output: 60 } },
  ],
  [
    "sim-image-router",
    "Simulated image model by way of a router",
    "image",
    "router",
    "sim-image",
    { input: pictures, price: { images: 0.04 } },
  ],
  [
    "sim-video",
    "Simulated video model",
    "video",
    "media",
    "dreamina-seedance-2-0-260128",
    { input: everything },
  ],
  [
    "sim-video-fast",
    "Simulated fast video model",
    "video",
    "media",
    "dreamina-seedance-2-0-fast-260128",
    { input: everything },
  ],
  [
    "sim-video-silent",
    "Simulated silent video model",
    "video",
    "media",
    "seedance-1-0-pro-250528",
    { input: pictures },
  ],
  [
    "sim-video-router",
    "Simulated video model by way of a router",
    "video",
    "router",
    "bytedance/seedance-2.0-fast",
    { input: everything },
  ],
  [
    "sim-video-generate",
    "Simulated generate-content video model",
    "video",
    "genstyle",
    "veo-3.1-fast-generate-preview",
    { input: pictures },
  ],
  [
    "seed-tts-1.0",
    "Simulated reading, first series",
    "audio",
    "speech",
    "seed-tts-1.0",
    { price: { characters: 15 } },
  ],
  [
    "seed-tts-2.0",
    "Simulated reading, second series",
    "audio",
    "speech",
    "seed-tts-2.0",
    { price: { characters: 15 } },
  ],
  [
    "seed-audio-1.0-multilingual",
    "Simulated generation with reference",
    "audio",
    "speech",
    "seed-audio-1.0-multilingual",
    { input: ["text", "image", "audio"], price: { seconds: 0.004 } },
  ],
  [
    "sim-embedding-media",
    "Simulated embedding model for media",
    "embedding",
    "router",
    "gemini-embedding-2",
    { input: everything, ...token },
  ],
  [
    "sim-embedding-generate",
    "Simulated generate-content embedding model",
    "embedding",
    "genstyle",
    "gemini-embedding-2",
    { input: everything, ...token },
  ],
  [
    "sim-embedding-vision",
    "Simulated embedding model for pictures and film",
    "embedding",
    "media",
    "skylark-embedding-vision",
    { input: ["text", "image", "video"], price: { input: 0.125, imageInput: 0.325 } },
  ],
];

/** The simulator's models of every kind of media, as a configuration has them. */
export const mediaModels = Object.fromEntries(
  rows.map(([id, name, output, provider, upstream, { input = ["text"], price } = {}]) => [
    id,
    {
      name,
      input,
      output: [output],
      entries: [{ provider: `simulator-${provider}`, name: upstream, ...(price && { price }) }],
    },
  ]),
);
