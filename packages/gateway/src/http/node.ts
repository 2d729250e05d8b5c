import type { IncomingMessage, ServerResponse } from "node:http";
import type { Exchange, Sink } from "./exchange.ts";
import { Refusal } from "./refusal.ts";
import { type Query, tooLarge, toQuery } from "./shared.ts";

/** An exchange over Node's own request and response. A reader that takes nothing for `stall` ms is cut off. */
export function nodeExchange(req: IncomingMessage, res: ServerResponse, stall: number): Exchange {
  const url = req.url ?? "/";
  // An absolute-form target names a host of the caller's choice: only its path counts.
  const target = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, "") || "/";
  const mark = target.indexOf("?");
  let query: Query | undefined;
  return {
    method: req.method ?? "GET",
    path: mark < 0 ? target : target.slice(0, mark),
    target,
    query(name) {
      query ??= toQuery(mark < 0 ? "" : target.slice(mark + 1));
      return query(name);
    },
    header(name) {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    ...(req.socket.remoteAddress !== undefined && { address: req.socket.remoteAddress }),
    body: (limit) => readBody(req, limit),
    sink: nodeSink(res, stall),
  };
}

function readBody(req: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (Number(req.headers["content-length"] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        req.removeAllListeners("data");
        req.pause();
        reject(tooLarge(limit));
      } else chunks.push(chunk);
    });
    req.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)));
    req.on("error", () => reject(new Refusal(400, "The request body ended before it was complete.")));
    req.on("close", () => {
      if (!req.complete) reject(new Refusal(400, "The request body ended before it was complete."));
    });
  });
}

function nodeSink(res: ServerResponse, stall: number): Sink {
  // A socket that breaks is a reader that left; without a listener it would end the process.
  res.on("error", () => {});
  const drained = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => res.destroy(), stall);
      const done = (): void => {
        clearTimeout(timer);
        res.off("drain", done);
        res.off("close", done);
        resolve();
      };
      res.on("drain", done);
      res.on("close", done);
    });
  return {
    get started() {
      return res.headersSent;
    },
    get status() {
      return res.headersSent ? res.statusCode : 0;
    },
    get closed() {
      return res.destroyed || res.closed;
    },
    head(status, headers) {
      if (!res.headersSent && !res.destroyed) res.writeHead(status, { ...this.stamp, ...headers });
    },
    write(chunk, encoding = "utf8") {
      if (res.destroyed || res.writableEnded) return undefined;
      return res.write(chunk, encoding) ? undefined : drained();
    },
    end(chunk, encoding = "utf8") {
      if (res.destroyed || res.writableEnded) return;
      if (chunk === undefined) res.end();
      else res.end(chunk, encoding);
      // A long answer may take its time, as long as it moves: a socket's timeout starts anew with every piece taken.
      if ((res.socket?.writableLength ?? 0) > 0) res.setTimeout(stall, () => res.destroy());
    },
    abort: () => void res.destroy(),
  };
}
