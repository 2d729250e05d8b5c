import { prose, scene } from "../texts.ts";
import type { CreateRequest, Script } from "./traffic-request.ts";

/** The outcomes of jobs: most succeed. */
const OUTCOMES: readonly { weight: number; directives?: string }[] = [
  { weight: 86 },
  { weight: 5, directives: "[[outcome:fail=moderation]]" },
  { weight: 4, directives: "[[outcome:fail=internal]]" },
  { weight: 3, directives: "[[fault:status=503]]" },
  { weight: 2, directives: "[[fault:status=400]]" },
];

const scriptOf = (directives: string | undefined, operation: string): { scripts?: Script[] } =>
  directives === undefined ? {} : { scripts: [{ directives, operation }] };

const IMAGES = ["sim-image", "sim-image", "sim-image-pro", "sim-image-chat", "sim-image-router"];

export const createImageRequest: CreateRequest = (random) => {
  const isLater = random.next() < 0.4;
  return {
    path: isLater ? "/api/v1/image/generations/async" : "/api/v1/image/generations",
    body: { model: random.pick(IMAGES), content: [{ type: "text", text: scene(random) }] },
    ...scriptOf(random.pickWeighted(OUTCOMES).directives, "image"),
    ...(isLater && { job: "/api/v1/image/generations/async/" }),
  };
};

const VIDEOS = ["sim-video-fast", "sim-video-fast", "sim-video", "sim-video-router", "sim-video-generate"];

export const createVideoRequest: CreateRequest = (random) => {
  const cancels = random.next() < 0.1;
  const ending = cancels ? "[[outcome:queued=9]]" : random.pickWeighted(OUTCOMES).directives;
  return {
    path: "/api/v1/video/generations",
    body: { model: random.pick(VIDEOS), content: [{ type: "text", text: scene(random) }] },
    ...scriptOf(ending, "video"),
    job: "/api/v1/video/tasks/",
    cancels,
  };
};

const VOICES = ["en_female_dacey_uranus_bigtts"];

export const createSpeechRequest: CreateRequest = (random) => ({
  path: "/api/v1/audio/text-to-speech",
  body: { voiceType: random.pick(VOICES), text: prose(random, random.between(1, 8)) },
  ...scriptOf(random.pickWeighted(OUTCOMES).directives, "speech"),
  job: "/api/v1/audio/generations/",
});
