import type { AnyCodec } from "@manifold-gateway/core";
import type { z } from "zod";
import { internalError, isDefect, logDefect } from "../fault.ts";
import { bodyLimits, readJson } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import type { JsonBody } from "../http/json-body.ts";
import { Refusal } from "../http/refusal.ts";
import { tooLarge } from "../http/shared.ts";
import { parse } from "../input.ts";
import type { Services } from "../ports/services.ts";
import type { Route } from "../route.ts";
import { refusalFrame } from "./frames.ts";
import { follow, type History } from "./history.ts";
import { closings, type Peer } from "./peer.ts";
import { SocketSink } from "./sink.ts";
import { readTurn, type Turn } from "./turn.ts";
import { warmupOf } from "./warmup.ts";

/** The parts that a socket is served with. */
export interface Conversation {
  /** The request that it was opened by, and its id. */
  opening: Exchange;
  id: string;
  codec: AnyCodec;
  /** The route that each message is a request of. */
  route: Route;
  services: Services;
  /** Runs one request, from its route to its log line. */
  run(exchange: Exchange): Promise<void>;
  /** The socket is closed, and nothing runs on it any more. */
  over(): void;
}

/**
 * Serves one socket: each message is a request of its own, one at a time, that goes through the same pipeline as one
 * over HTTP. A client that leaves is noticed by the request that runs, which is settled as after any disconnect.
 */
export function converse(peer: Peer, conversation: Conversation): void {
  const { opening, codec, services, id: request, over } = conversation;
  const { limits, now, log } = services;
  let last: History | undefined;
  let running: Promise<void> = Promise.resolve();
  /** The turn that is to be answered yet. */
  let current: object | undefined;
  let idle: NodeJS.Timeout | undefined;

  const rest = (): void => {
    if (current) return;
    if (services.stopping()) peer.close(...closings.restart);
    clearTimeout(idle);
    if (peer.closed) return;
    idle = setTimeout(() => peer.close(...closings.idle), limits.webSocketIdleTimeout);
    idle.unref?.();
  };

  const refuse = (error: unknown): void => {
    if (peer.closed) return;
    if (isDefect(error)) logDefect(log, error, { request });
    const refusal = error instanceof Refusal ? error : new Refusal("internal_error", internalError(request));
    // A client that is answered faster than it reads, though nothing runs for it, does not mean to read.
    if (peer.send(refusalFrame(codec, refusal, opening.path, now()))) peer.close(...closings.flood);
  };

  const serve = async (bytes: Buffer | undefined, end: () => void): Promise<void> => {
    const turn = readTurn(await readMessage(bytes), last);
    if (turn.warmup) {
      last = warmUp(peer, conversation, turn);
      return;
    }
    const { heard, done } = follow(turn.items);
    const patience = limits.clientWriteTimeout;
    const ended = (): void => {
      last = done() ?? last;
      end();
    };
    await conversation.run(
      turnExchange(conversation, turn, new SocketSink(peer, { codec, patience, heard, ended })),
    );
  };

  const unlisten = services.sockets.onStop(() => {
    if (!current) peer.close(...closings.restart);
  });
  peer.listen((bytes) => {
    if (current)
      return refuse(
        new Refusal("response_in_progress", "A response is in progress: wait for its last event."),
      );
    const turn = {};
    const end = (): void => {
      if (current === turn) current = undefined;
    };
    current = turn;
    clearTimeout(idle);
    // A request whose last event went out may have its line of the log to write yet.
    running = running
      .then(() => serve(bytes, end))
      .catch(refuse)
      .then(end)
      .then(rest);
  });
  peer.onClose(() => {
    clearTimeout(idle);
    unlisten();
    running.then(over);
  });
  rest();
}

/** A message is held to what a body is held to. */
function readMessage(bytes: Buffer | undefined): Promise<JsonBody> {
  if (bytes === undefined)
    throw new Refusal("invalid_json", "A message must be a text frame with a JSON object.");
  const body: Exchange["body"] = async (_, watch) => {
    watch?.(bytes);
    return bytes;
  };
  return readJson({ header: () => undefined, body }, bodyLimits);
}

/** Says the events of a response without output; the next may continue it. */
function warmUp(
  peer: Peer,
  { codec, route, services }: Conversation,
  { body, items }: Turn,
): History | undefined {
  const { model } = parse(
    route.body as z.ZodType<{ model: string }>,
    JSON.parse(Buffer.from(body).toString()),
  );
  const { heard, done } = follow(items);
  for (const event of warmupOf(codec, services.id(), model, services.now())) {
    heard(event);
    peer.send(JSON.stringify(event));
  }
  return done();
}

/** Headers that are about the opening alone. */
const OWN = new Set([
  ...["accept", "content-type", "content-encoding", "content-length", "idempotency-key", "x-request-id"],
  ...["connection", "upgrade", "origin"],
]);

/** One message as a request of the route, from the caller that opened the socket. */
function turnExchange({ opening, id, route }: Conversation, { body }: Turn, sink: SocketSink): Exchange {
  const { path, target, query, address } = opening;
  return {
    method: route.method,
    ...{ path, target, query },
    ...(address !== undefined && { address }),
    header: (name) => (OWN.has(name) ? undefined : opening.header(name)),
    async body(limit, watch) {
      if (body.length > limit) throw tooLarge(limit);
      watch?.(body);
      return body;
    },
    isArriving: () => false,
    socket: id,
    sink,
  };
}
