import type { JobKind } from "@manifold/store";

/** Times in milliseconds, sizes in bytes. */
export interface JobLimits {
  /** Jobs that one process works on at one time. */
  concurrency: number;
  /** The same of one kind: the inputs and answers of images and speech are in memory meanwhile. */
  atOnce: Record<JobKind, number>;
  /** Jobs of one account that go on at one time, and identity assets of it that are being checked. */
  maxLiveJobs: number;
  pendingAssets: number;
  /** How long a worker has a job to itself before it has to say again that it lives. */
  lease: number;
  /** How long nothing is looked for where nothing is known to be due: others may have left something behind. */
  rest: number;
  /** The whole of a job, by kind; then it is given up. */
  deadline: Record<JobKind, number>;
  /** Between two polls: at first, and at most; each wait is `factor` times the one before. */
  poll: Record<JobKind, { initial: number; max: number; factor: number }>;
  /** How often a passing failure is met with another try, one after the other. */
  tries: number;
  /** The first wait after a passing failure, doubled with each, and the longest. */
  retry: { initial: number; max: number };
  /** An ask that is longer is kept in the object store. */
  ask: number;
  /** One input that is fetched or read to be sent inline. */
  input: number;
  /** One output, by kind. */
  output: Record<Exclude<JobKind, "asset">, number>;
  /** The outputs of one job. */
  outputs: number;
  /** How long links live that are handed to readers, and those that providers fetch inputs from. */
  link: number;
  /** How long archived outputs and identity assets are kept. */
  retention: number;
  /** How old a file is at least that is removed because it belongs to nothing; longer than any deadline. */
  grace: number;
}

const MIB = 1024 * 1024;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
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
