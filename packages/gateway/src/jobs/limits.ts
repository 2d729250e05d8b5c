import { DAY, MINUTE } from "../http/moments.ts";
import type { JobLimits } from "../ports/limits.ts";

const MIB = 1024 * 1024;
const poll = { initial: 2_000, max: 30_000, factor: 1.5 };

export const defaultJobLimits: JobLimits = {
  concurrency: 64,
  atOnce: { image: 32, speech: 16, video: 64, asset: 8 },
  maxLiveJobs: 200,
  pendingAssets: 20,
  lease: MINUTE,
  rest: 15_000,
  deadline: { image: 10 * MINUTE, speech: 10 * MINUTE, video: 60 * MINUTE, asset: 10 * MINUTE },
  poll: { image: poll, speech: poll, video: { ...poll, initial: 5_000 }, asset: poll },
  tries: 4,
  retry: { initial: 1_000, max: 30_000 },
  ask: 64 * 1024,
  input: 64 * MIB,
  output: { image: 64 * MIB, speech: 96 * MIB, video: 1024 * MIB },
  outputs: 16,
  link: 60 * MINUTE,
  retention: 30 * DAY,
  grace: DAY,
};
