import type { Model } from "@manifold-gateway/gateway";
import { imageModels, speechModels, transcriptionModels, videoModels } from "@manifold-gateway/providers";

/** Prices in micro-USD for a million: pictures and seconds are dear, characters cheap. */
const flat = { images: 40_000_000_000, seconds: 50_000_000_000, characters: 15_000_000, input: 200_000 };

/** A model of a provider, by what its vendor's preset says of it. */
function known(id: string, name: string, more: Partial<Model["entries"][number]> = {}): Model {
  const image = imageModels[name];
  const preset = image ?? videoModels[name];
  if (!preset) throw new Error(`no preset ${name}`);
  const { wire, capabilities, meter, tiers, takes } = preset;
  return {
    id,
    inputModalities: ["text", ...takes],
    outputModalities: [image ? "image" : "video"],
    isActive: true,
    revision: 1,
    entries: [{ provider: wire, name, priority: 1, isActive: true, capabilities, meter, tiers, ...more }],
  };
}

const spoken = (id: string): Model => ({
  id,
  inputModalities: ["text"],
  outputModalities: ["audio"],
  isActive: true,
  revision: 1,
  entries: [{ provider: "speechstyle", name: id, priority: 1, isActive: true, price: flat }],
});

/** A model that reads aloud or transcribes for a waiting caller, by what its vendor's preset says of it. */
const sounding = (id: string, name: string): Model => {
  const model = speechModels[name] ?? transcriptionModels[name];
  if (!model) throw new Error(`no preset ${name}`);
  const { wire, capabilities, meter, tiers } = model;
  return {
    ...spoken(id),
    inputModalities: [speechModels[name] ? "text" : "audio"],
    outputModalities: [speechModels[name] ? "audio" : "transcription"],
    entries: [
      {
        ...{ provider: wire, name, priority: 1, isActive: true, capabilities },
        ...(meter && { meter }),
        ...(tiers[0] && { price: tiers[0].price }),
      },
    ],
  };
};

const embedded = (id: string, provider: string, name: string, takes: string[]): Model => ({
  id,
  inputModalities: ["text", ...takes],
  outputModalities: ["embedding"],
  isActive: true,
  revision: 1,
  entries: [{ provider, name, priority: 1, isActive: true, price: { input: 200_000, imageInput: 450_000 } }],
});

export const models: Model[] = [
  known("image", "seedream-4-0-250828"),
  known("image-pro", "dola-seedream-5-0-pro-260628"),
  known("image-guided", "seedream-3-0-t2i-250415"),
  known("image-chat", "gpt-image-1.5"),
  known("image-generate", "gemini-3.1-flash-image", {
    price: { output: 60_000_000, imageOutput: 60_000_000 },
  }),
  known("video", "dreamina-seedance-2-0-260128"),
  known("video-silent", "seedance-1-0-pro-250528"),
  known("video-router", "bytedance/seedance-2.0-fast"),
  known("video-generate", "veo-3.1-fast-generate-preview"),
  { ...known("image-free", "seedream-4-0-250828"), id: "image-unpriced" },
  spoken("seed-tts-1.0"),
  spoken("seed-tts-2.0"),
  spoken("seed-audio-1.0-multilingual"),
  sounding("speech-chat", "gpt-4o-mini-tts"),
  sounding("transcription", "whisper-1"),
  sounding("transcription-tokens", "gpt-4o-transcribe"),
  sounding("transcription-speakers", "gpt-4o-transcribe-diarize"),
  embedded("embed-chat", "chatstyle", "text-embedding-3-small", []),
  embedded("embed-media", "routerstyle", "google/gemini-embedding-2", ["image", "audio", "video", "file"]),
  embedded("embed-generate", "genstyle", "gemini-embedding-2", ["image", "audio", "video", "file"]),
  embedded("embed-vision", "mediastyle", "skylark-embedding-vision", ["image", "video"]),
];
const unpriced = models.find(({ id }) => id === "image-unpriced");
if (unpriced) unpriced.entries = unpriced.entries.map(({ tiers: _, ...entry }) => entry);
