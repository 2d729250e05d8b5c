import "../no-eval.ts";
import { reach, toIncoming } from "../api/reach.ts";
import { AS_PLAYGROUND, readRefusal, wordsOf } from "../api/refusal.ts";
import { CALLS } from "./calls.ts";
import type { SendOrder, Sent, ToWorker } from "./messages.ts";
import { createReplyReader } from "./reply-reader.ts";

/** How long pieces of an answer are gathered, in ms: a page that is drawn more often is no easier to read. */
const GATHER_MS = 50;

const post = (message: Sent): void => postMessage(message);
const running = new Map<number, AbortController>();

addEventListener("message", ({ data: message }: MessageEvent<ToWorker>) => {
  if (message.type === "send") void send(message.id, message.order);
  else if (message.type === "stop") running.get(message.id)?.abort();
  else post({ type: "answer", id: message.id, ...answerOf(message) });
});

function answerOf({ call, args }: ToWorker & { type: "call" }): { value: unknown } | { fault: string } {
  try {
    return { value: (CALLS[call] as (...args: unknown[]) => unknown)(...args) };
  } catch (error) {
    return { fault: wordsOf(error) };
  }
}

/** Sends a request and reports its answer as it comes, gathered. */
async function send(id: number, { protocol, path, body }: SendOrder): Promise<void> {
  const began = performance.now();
  const now = (): number => Math.round(performance.now() - began);
  const control = new AbortController();
  running.set(id, control);
  const reader = createReplyReader(protocol, now);
  const report = (): void => {
    const progress = reader.take();
    if (progress) post({ type: "progress", id, progress });
  };
  const timer = setInterval(report, GATHER_MS);
  try {
    const response = await reach(path, {
      method: "POST",
      credentials: "same-origin",
      headers: AS_PLAYGROUND,
      body,
      signal: control.signal,
    });
    post({ type: "head", id, status: response.status, headers: [...response.headers] });
    if (!response.ok) {
      const { status, message, code, requestId } = await readRefusal(response, path);
      post({ type: "end", id, ms: now(), refusal: { status, message, code, requestId, path } });
      return;
    }
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const incoming = toIncoming(response);
    if (isStream) for await (const piece of incoming.pieces()) reader.step(piece);
    else reader.body(await incoming.text());
    reader.end();
    report();
    post({ type: "end", id, ms: now() });
  } catch (error) {
    report();
    const isStopped = control.signal.aborted;
    post({ type: "end", id, ms: now(), ...(isStopped ? { isStopped } : { fault: wordsOf(error) }) });
  } finally {
    clearInterval(timer);
    running.delete(id);
  }
}
