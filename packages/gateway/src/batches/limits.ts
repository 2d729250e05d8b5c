import { DAY, HOUR, MINUTE } from "../http/moments.ts";
import type { BatchLimits } from "../ports/limits.ts";

const MIB = 1024 * 1024;

export const defaultBatchLimits: BatchLimits = {
  batches: 16,
  lines: 64,
  liveBatches: 100,
  lease: MINUTE,
  rest: 15_000,
  turn: MINUTE,
  tries: 8,
  interruptions: 10,
  retry: { initial: 1_000, max: MINUTE },
  window: { usual: DAY, longest: 7 * DAY },
  fileLines: 50_000,
  line: 8 * MIB,
  accountFiles: 10 * 1024 * MIB,
  retention: 30 * DAY,
  upstream: {
    bytes: 16 * MIB,
    age: MINUTE,
    poll: { initial: 30_000, max: 5 * MINUTE },
    call: 10 * MINUTE,
    results: HOUR,
    lost: 5 * MINUTE,
    grace: 3 * 60 * MINUTE,
    removal: DAY,
  },
};
