/** A reading in a voice of the catalog, and a generation with a voice to follow and a subtitle. */
import assert from "node:assert/strict";
import { openStudio } from "./support/studio.ts";

interface Order {
  generationId: string;
}
interface Job {
  status: string;
  error?: string;
  audioUrl: string;
  originalDurationSeconds?: number;
  subtitle?: { text: string };
}
interface Voices {
  voices: { voiceType: string; name: string }[];
}

const studio = await openStudio();
try {
  const { voices } = await studio.ask<Voices>("v1/audio/voices?language=en&resourceId=seed-tts-2.0");
  const [voice] = voices;
  assert.ok(voice);
  console.log(`${voice.name} reads`);
  const reading = await studio.ask<Order>("v1/audio/text-to-speech", {
    voiceType: voice.voiceType,
    text: "One, two, three, and four.",
    contextTexts: ["Slowly, as to a child."],
  });
  const read = await studio.wait<Job>(`v1/audio/generations/${reading.generationId}`);
  assert.equal(read.status, "succeeded", read.error);
  assert.ok((await studio.save("reading.mp3", read.audioUrl)) > 100);

  console.log("and is followed");
  const following = await studio.ask<Order>("v1/audio/generation-with-reference", {
    model: "seed-audio-1.0-multilingual",
    textPrompt: "As @Audio1, cheerfully: good morning, everyone!",
    references: [{ speaker: voice.voiceType }],
    format: "wav",
    enableSubtitle: true,
  });
  const made = await studio.wait<Job>(`v1/audio/generations/${following.generationId}`);
  assert.equal(made.status, "succeeded", made.error);
  assert.ok((await studio.save("morning.wav", made.audioUrl)) > 100);
  console.log(`  ${made.originalDurationSeconds} seconds: ${made.subtitle?.text}`);
  assert.ok(made.subtitle?.text);
} finally {
  await studio.close();
}
