import type { CodecCalls, RunMessage, SendOrder, Sent, ToWorker } from "./messages.ts";
import workerUrl from "./worker.ts?worker&url";

// Codecs read and write bodies of megabytes, and four streams at a time: in a worker none of it holds up the page.

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, { done: (value: unknown) => void; failed: (error: Error) => void }>();
const listeners = new Map<number, (message: RunMessage) => void>();

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/** The address of the worker, in the form that the policy of the page demands of scripts. */
function scriptUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return (
    trustedTypes?.createPolicy("codec-worker", { createScriptURL: () => workerUrl }).createScriptURL("") ??
    workerUrl
  );
}

function post(message: ToWorker): void {
  if (!worker) {
    worker = new Worker(scriptUrl(), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Sent>) => receive(data);
    worker.onerror = ({ message: fault }) => {
      const error = new Error(`The codecs cannot be loaded: ${fault || "reload the page."}`);
      for (const { failed } of waiting.values()) failed(error);
      waiting.clear();
      for (const [id, listener] of listeners) listener({ type: "end", id, ms: 0, fault: error.message });
      worker = undefined;
    };
  }
  worker.postMessage(message);
}

function receive(message: Sent): void {
  if (message.type !== "answer") {
    listeners.get(message.id)?.(message);
    if (message.type === "end") listeners.delete(message.id);
    return;
  }
  const call = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.fault === undefined) call?.done(message.value);
  else call?.failed(new Error(message.fault));
}

/** Calls a function of the codecs. */
export const codecs = <Name extends keyof CodecCalls>(
  call: Name,
  ...args: Parameters<CodecCalls[Name]>
): Promise<Awaited<ReturnType<CodecCalls[Name]>>> =>
  new Promise((done, failed) => {
    const id = ++last;
    waiting.set(id, { done: done as (value: unknown) => void, failed });
    post({ type: "call", id, call, args });
  });

/** Sends a request; `listener` is given what comes of it. Returns what stops it. */
export function sendByWorker(order: SendOrder, listener: (message: RunMessage) => void): () => void {
  const id = ++last;
  listeners.set(id, listener);
  post({ type: "send", id, order });
  return () => post({ type: "stop", id });
}
