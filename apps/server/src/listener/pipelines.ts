import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { drain } from "@manifold-gateway/gateway/admin";
import type { Exchange } from "./refuse-connection.ts";

/** The most requests of one connection that are answered at one time. */
const AT_ONCE = 4;
/** The most requests that wait behind them. No known client sends more before it has read an answer. */
const WAITING = 32;

/** The requests of one connection. */
interface Pipeline {
  running: number;
  /** The exchange that began last. */
  last?: Exchange;
  waiting: Exchange[];
  isClosed: boolean;
}

export interface Pipelines {
  /** Runs a request, now or when earlier ones of its connection have ended. */
  serve(...exchange: Exchange): void;
  /** Runs no further request of a connection, and parses none. */
  close(socket: Duplex): void;
  /** Ends a connection after the answer to a request that runs. */
  endWith(...exchange: Exchange): void;
  /**
   * Ends a connection after the answers that are due, and reads no more of it. Returns `false` if one of them cannot
   * come, because its request will not arrive.
   */
  finish(socket: Socket): boolean;
  /** Checks whether an answer written directly to the socket would be read as the next answer. */
  isFree(socket: Duplex): boolean;
  /** The number of requests being answered, on all connections. */
  running(): number;
}

/**
 * Limits the requests of a connection that run at one time: a request takes only forty bytes, so that a client could
 * start thousands with one packet. A connection that exceeds the limit ends after the answers to the requests before
 * it; `flooded` is called for it.
 */
export function createPipelines(
  run: (...exchange: Exchange) => void,
  flooded: (socket: Socket) => void,
): Pipelines {
  const pipelines = new WeakMap<Duplex, Pipeline>();
  let running = 0;
  const pipelineOf = (socket: Duplex): Pipeline => {
    const known = pipelines.get(socket);
    if (known) return known;
    const made = { running: 0, waiting: [], isClosed: false };
    pipelines.set(socket, made);
    return made;
  };

  const begin = (pipeline: Pipeline, exchange: Exchange): void => {
    pipeline.running += 1;
    running += 1;
    pipeline.last = exchange;
    exchange[1].on("close", endOne);
    run(...exchange);
  };

  /** Ends a request. One listener serves all requests, because a closure for each would cost memory and time. */
  function endOne(this: ServerResponse): void {
    const { socket } = this.req;
    const pipeline = pipelineOf(socket);
    pipeline.running -= 1;
    running -= 1;
    const next = pipeline.waiting.shift();
    if (next && !socket.destroyed) begin(pipeline, next);
    if (pipeline.waiting.length === 0) socket.resume();
  }

  const finish = (socket: Socket, pipeline: Pipeline, [, last]: Exchange): void => {
    pipeline.isClosed = true;
    stopParsing(socket);
    last.shouldKeepAlive = false;
    // Node decided at the head of the answer whether the connection stays open.
    if (last.headersSent) last.once("finish", () => socket.destroySoon());
    drain(socket);
  };

  const dropWaiting = (socket: Duplex): void => {
    const pipeline = pipelineOf(socket);
    pipeline.isClosed = true;
    pipeline.waiting = [];
  };

  return {
    running: () => running,
    serve(...exchange) {
      const { socket } = exchange[0];
      const pipeline = pipelineOf(socket);
      if (pipeline.isClosed) return;
      if (pipeline.running < AT_ONCE) begin(pipeline, exchange);
      else if (pipeline.waiting.length < WAITING) {
        pipeline.waiting.push(exchange);
        socket.pause();
      } else {
        finish(socket, pipeline, pipeline.waiting.at(-1) as Exchange);
        flooded(socket);
      }
    },
    close(socket) {
      dropWaiting(socket);
      stopParsing(socket);
    },
    endWith({ socket }, response) {
      dropWaiting(socket);
      response.shouldKeepAlive = false;
    },
    finish(socket) {
      const pipeline = pipelineOf(socket);
      const last = pipeline.waiting.at(-1) ?? pipeline.last;
      if (last === undefined || !last[0].complete) return false;
      if (!pipeline.isClosed) finish(socket, pipeline, last);
      return true;
    },
    isFree(socket) {
      const { running, last, waiting } = pipelineOf(socket);
      if (running === 0) return true;
      const isArriving = last?.[0].complete === false && !last[1].headersSent;
      return running === 1 && waiting.length === 0 && isArriving;
    },
  };
}

/**
 * Stops the parser of a connection at the next request. Otherwise it would parse its whole chunk, which may hold more
 * than a thousand requests, and create an object and an error for each. Node has no public way to stop it: 2 is the
 * result by which the parser hands a connection over after an upgrade.
 */
function stopParsing(socket: Duplex): void {
  const { parser } = socket as Duplex & { parser?: { onIncoming?: (() => number) | null } | null };
  if (parser?.onIncoming) parser.onIncoming = () => 2;
}
