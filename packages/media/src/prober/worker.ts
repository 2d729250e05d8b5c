import { parentPort } from "node:worker_threads";
import type { Probe, ProbeFailure } from "../types.ts";
import { type MediaSource, probeSource } from "./source.ts";

/** The thread's answer: a probe, or the error that was thrown. */
export type Answer = { result: Probe | ProbeFailure } | { thrown: Error };

function answer(source: MediaSource): Answer {
  try {
    return { result: probeSource(source) };
  } catch (error) {
    return { thrown: error as Error };
  }
}

parentPort?.on("message", (source: MediaSource) => parentPort?.postMessage(answer(source)));
