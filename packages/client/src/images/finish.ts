import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { ImageAdapter, Line, Progress, Trouble } from "@manifold-gateway/providers/images";

/** Milliseconds between two looks at a job: at first, and at most. */
const PAUSE = { first: 500, most: 10_000 };

/** Begins the work and waits for its end. Rejects with the signal's reason if the caller leaves. */
export async function finish(
  adapter: ImageAdapter,
  line: Line,
  ask: ImageAsk,
): Promise<{ result: ImageResult } | { trouble: Trouble }> {
  let progress: Progress<ImageResult> | { id: string } = await adapter.submit(line, ask);
  const job = "id" in progress ? progress.id : undefined;
  for (let pause = PAUSE.first; ; pause = Math.min(pause * 1.5, PAUSE.most)) {
    if ("state" in progress) {
      if (progress.state === "succeeded") return { result: progress.result };
      if (progress.state === "failed" || progress.state === "cancelled") return { trouble: progress.trouble };
    }
    if (job === undefined || !adapter.poll) return { trouble: noEnd };
    await sleep(pause, line.signal);
    progress = await adapter.poll(line, job);
  }
}

const noEnd: Trouble = { kind: "internal", message: "The provider did not say how the work ended." };

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}
