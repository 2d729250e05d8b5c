import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { ImageAdapter, Line, Progress, Trouble } from "@manifold-gateway/providers/images";

/** Milliseconds between two polls of a job: at first, and at most. */
const POLL_PAUSE = { first: 500, most: 10_000 };

/** Milliseconds after which a job that has not ended counts as failed. */
const MAX_TIME = 600_000;

/** Submits a job and polls it to its end. Rejects with the signal's reason if the caller leaves. */
export async function runJob(
  adapter: ImageAdapter,
  line: Line,
  ask: ImageAsk,
): Promise<{ result: ImageResult } | { trouble: Trouble }> {
  const deadline = line.now() + MAX_TIME;
  let progress: Progress<ImageResult> | { id: string } = await adapter.submit(line, ask);
  const job = "id" in progress ? progress.id : undefined;
  for (let pause = POLL_PAUSE.first; ; pause = Math.min(pause * 1.5, POLL_PAUSE.most)) {
    if ("state" in progress) {
      if (progress.state === "succeeded") return { result: progress.result };
      if (progress.state === "failed" || progress.state === "cancelled") return { trouble: progress.trouble };
    }
    if (job === undefined || !adapter.poll || line.now() >= deadline) return { trouble: noEnd };
    await sleep(pause, line.signal);
    progress = await adapter.poll(line, job);
  }
}

const noEnd: Trouble = {
  kind: "internal",
  message: "The work did not end in time, or the provider did not say how.",
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}
