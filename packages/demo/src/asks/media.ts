import { prose, scene } from "../words.ts";
import type { Asking, Script } from "./ask.ts";

/** The outcomes of jobs: most succeed. */
const ENDS: readonly { weight: number; directives?: string }[] = [
  { weight: 86 },
  { weight: 5, directives: "[[outcome:fail=moderation]]" },
  { weight: 4, directives: "[[outcome:fail=internal]]" },
  { weight: 3, directives: "[[fault:status=503]]" },
  { weight: 2, directives: "[[fault:status=400]]" },
];

const scriptOf = (directives: string | undefined, operation: string): { scripts?: Script[] } =>
  directives === undefined ? {} : { scripts: [{ directives, operation }] };

const IMAGES = ["sim-image", "sim-image", "sim-image-pro", "sim-image-chat", "sim-image-router"];

export const askImage: Asking = (chance) => {
  const isLater = chance.next() < 0.4;
  return {
    path: isLater ? "/api/v1/image/generations/async" : "/api/v1/image/generations",
    body: { model: chance.pick(IMAGES), content: [{ type: "text", text: scene(chance) }] },
    ...scriptOf(chance.weigh(ENDS).directives, "image"),
    ...(isLater && { job: "/api/v1/image/generations/async/" }),
  };
};

const VIDEOS = ["sim-video-fast", "sim-video-fast", "sim-video", "sim-video-router", "sim-video-generate"];

export const askVideo: Asking = (chance) => {
  const givesUp = chance.next() < 0.1;
  const ending = givesUp ? "[[outcome:queued=9]]" : chance.weigh(ENDS).directives;
  return {
    path: "/api/v1/video/generations",
    body: { model: chance.pick(VIDEOS), content: [{ type: "text", text: scene(chance) }] },
    ...scriptOf(ending, "video"),
    job: "/api/v1/video/tasks/",
    givesUp,
  };
};

const VOICES = ["en_female_dacey_uranus_bigtts"];

export const askSpeech: Asking = (chance) => ({
  path: "/api/v1/audio/text-to-speech",
  body: { voiceType: chance.pick(VOICES), text: prose(chance, chance.between(1, 8)) },
  ...scriptOf(chance.weigh(ENDS).directives, "speech"),
  job: "/api/v1/audio/generations/",
});
