import { reach } from "../api/reach.ts";
import { ApiError, readRefusal } from "../api/refusal.ts";

/** The events that the service sends. */
const EVENTS = ["request", "attempt", "settled", "job", "circuit", "gap"] as const;

/** An event with its JSON, or that the stream is open or not, with the words of the service where it was refused. */
export type StreamEvent =
  | { type: (typeof EVENTS)[number]; data: string }
  | { type: "open" }
  | { type: "shut"; reason?: string };

/** Where the service sends the events of the account, and of all accounts to operators. */
const PATHS = { account: "/api/compat/v1/events", all: "/api/admin/events" } as const;

/** What tabs send each other: an event for one of them or all, or the question of a new one whether the stream is open. */
type Message = { event: StreamEvent; to?: string } | { from: string };

/** The time between two tries to open a stream that was refused, in ms. */
const AGAIN_MS = 5_000;
/** The wait for the tab that has the lock, in ms: one that its system has suspended keeps it, and answers nothing. */
const SILENCE_MS = 3_000;

/**
 * Follows the events of an account or of all; returns what ends it. A browser opens six connections to a service, and a
 * stream keeps one for good, so that six tabs with one each would leave none to any page. The tabs of a browser share
 * one instead: one of them reads it for all, and the next takes its place when it leaves. A tab that gets nothing from
 * that one reads its own until it does. Without locks, which browsers have over HTTPS and on this machine only, each
 * reads its own.
 */
export function follow(whose: keyof typeof PATHS, receive: (event: StreamEvent) => void): () => void {
  const path = PATHS[whose];
  const ended = new AbortController();
  const { signal } = ended;
  if (navigator.locks === undefined) {
    void again(signal, () => read(path, receive, signal));
    return () => ended.abort();
  }
  const name = `events ${path}`;
  const channel = new BroadcastChannel(name);
  const me = crypto.randomUUID();
  const post = (message: Message): void => channel.postMessage(message);
  const fallback = new AbortController();
  const silence = setTimeout(
    () => void again(fallback.signal, () => read(path, receive, fallback.signal)),
    SILENCE_MS,
  );
  const leaveFallback = (): void => {
    clearTimeout(silence);
    fallback.abort();
  };
  signal.addEventListener("abort", leaveFallback);
  let isOpen = false;
  channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
    if ("event" in message) {
      leaveFallback();
      if (message.to === undefined || message.to === me) receive(message.event);
    } else if (isOpen) post({ event: { type: "open" }, to: message.from });
  };
  post({ from: me });
  const share = (event: StreamEvent): void => {
    if (event.type === "open" || event.type === "shut") isOpen = event.type === "open";
    post({ event });
    receive(event);
  };
  const readForAll = (): Promise<void> => {
    leaveFallback();
    return read(path, share, signal);
  };
  void again(signal, () => navigator.locks.request(name, { signal }, readForAll));
  return () => {
    ended.abort();
    channel.close();
  };
}

const UNREACHED = "The service cannot be reached.";

/** Reads a stream until it is refused, or to be left; one that was only lost is opened again by the browser. */
const read = (path: string, receive: (event: StreamEvent) => void, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    // A lock may be given to a tab that has just left its wait for it.
    if (signal.aborted) return resolve();
    const source = new EventSource(path);
    const leave = (): void => {
      source.close();
      resolve();
    };
    signal.addEventListener("abort", leave);
    let faults = 0;
    source.onopen = () => {
      faults = 0;
      receive({ type: "open" });
    };
    source.onerror = () => {
      faults += 1;
      // A stream that a proxy has ended is open again at once.
      receive({ type: "shut", ...(faults > 1 && { reason: UNREACHED }) });
      if (source.readyState !== EventSource.CLOSED) return;
      signal.removeEventListener("abort", leave);
      void refusalOf(path, signal).then((reason) => {
        if (reason !== undefined) receive({ type: "shut", reason });
        resolve();
      });
    };
    for (const type of EVENTS)
      source.addEventListener(type, ({ data }: MessageEvent<string>) => receive({ type, data }));
  });

/** Why the service refuses a stream, which an `EventSource` does not say; undefined where it does not, or cannot be asked. */
async function refusalOf(path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await reach(path, { signal });
    if (!response.ok) return (await readRefusal(response, path)).message;
    await response.body?.cancel();
  } catch (error) {
    if (error instanceof ApiError) return error.message;
  }
  return undefined;
}

/** Does something again and again, with a pause, until it is to be left. */
async function again(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    // A wait for a lock that is left rejects.
    await work().catch(() => {});
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
