import type { ServerResponse } from "node:http";
import type { Outlet } from "./send-answer.ts";

/** The outlet of a request of `node:http`. */
export function socketOutlet(res: ServerResponse): Outlet {
  const gone = new AbortController();
  const listeners: ((isWhole: boolean) => void)[] = [];
  let last: Promise<void> | undefined;
  res.once("close", () => {
    gone.abort();
    for (const listener of listeners) listener(res.writableFinished);
  });
  const drained = (): Promise<void> =>
    new Promise((done, failed) => {
      res.once("drain", done);
      gone.signal.addEventListener("abort", () => failed(gone.signal.reason), { once: true });
    });
  return {
    disconnected: gone.signal,
    unpacks: false,
    onClose: (listener) => void listeners.push(listener),
    head(status, headers) {
      res.writeHead(status, headers);
      res.flushHeaders();
    },
    write(bytes) {
      let written = (): void => {};
      last = new Promise((done) => {
        written = done;
      });
      return res.write(bytes, written) ? undefined : drained();
    },
    end: (bytes) => void res.end(bytes),
    async cut() {
      if (!res.headersSent) return void res.socket?.resetAndDestroy();
      await last;
      res.socket?.destroy();
    },
  };
}

/**
 * The outlet of a web-standard request. `response` rejects, and its body fails, as those of `fetch` do where a
 * connection breaks.
 */
export function responseOutlet(request: Request): Outlet & { response: Promise<Response> } {
  const gone = new AbortController();
  const listeners: ((isWhole: boolean) => void)[] = [];
  const { promise: response, resolve, reject } = Promise.withResolvers<Response>();
  const queue: Uint8Array[] = [];
  let queued = 0;
  let isOver = false;
  let failure: unknown;
  /** Called when something was put into the queue or taken out of it. */
  let moved = (): void => {};
  const move = (): Promise<void> =>
    new Promise((done) => {
      const before = moved;
      moved = () => {
        before();
        done();
      };
    });
  const notify = (): void => {
    const callback = moved;
    moved = () => {};
    callback();
  };
  const close = (isWhole: boolean): void => {
    if (isOver) return;
    isOver = true;
    gone.abort();
    for (const listener of listeners) listener(isWhole);
    notify();
  };
  const fail = (error: unknown): void => {
    if (isOver) return;
    failure = error;
    reject(error);
    close(false);
  };
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        while (queue.length === 0 && !isOver) await move();
        const bytes = queue.shift();
        if (bytes !== undefined) {
          queued -= bytes.length;
          controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
          notify();
        } else if (failure === undefined) controller.close();
        else controller.error(failure);
      },
      cancel: () => close(false),
    },
    { highWaterMark: 0 },
  );
  const leave = (): void => fail(request.signal.reason);
  if (request.signal.aborted) leave();
  else request.signal.addEventListener("abort", leave, { once: true });
  const put = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    queue.push(bytes);
    queued += bytes.length;
    notify();
  };
  return {
    response,
    disconnected: gone.signal,
    unpacks: true,
    onClose: (listener) => void listeners.push(listener),
    head(status, headers) {
      const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
      resolve(new Response(BODILESS.has(status) ? null : stream, { status, headers: texts }));
    },
    async write(bytes) {
      gone.signal.throwIfAborted();
      put(bytes);
      while (queued > HIGH_WATER) {
        await move();
        gone.signal.throwIfAborted();
      }
    },
    end(bytes) {
      if (isOver) return;
      if (bytes) put(bytes);
      close(true);
    },
    cut: () => fail(brokenConnection()),
  };
}

/** Bytes that wait for a reader. */
const HIGH_WATER = 64 * 1024;
const BODILESS = new Set([204, 205, 304]);

const brokenConnection = (): Error =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }),
  });
