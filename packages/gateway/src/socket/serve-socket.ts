import { RECHECK_MS } from "../access/recheck.ts";
import { bodyLimits } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import { internalError, isDefect, logDefect } from "../http/fault.ts";
import { closings, type Message, type Peer } from "../http/peer.ts";
import { Refusal } from "../http/refusal.ts";
import type { Caller } from "../ports/access.ts";
import type { Route } from "../route.ts";
import { refusalFrame } from "./frames.ts";
import { createHistoryMemory, follow } from "./history.ts";
import { messageExchange } from "./message-exchange.ts";
import type { Opens } from "./open.ts";
import { readTurn, type Turn } from "./read-message.ts";
import { SocketSink } from "./sink.ts";

/** What a socket needs to be served. */
export interface Conversation extends Opens {
  /** The request that opened it, its id and its caller. */
  opening: Exchange;
  id: string;
  caller: Caller;
  /** Called when the socket is closed and its last request has ended. */
  onEnd(): void;
}

/** The most bytes of a refused message that are discarded: a client with more to send is disconnected. */
const MOST_DISCARDED = bodyLimits.text;

/**
 * Serves one socket. Each message is a request, one at a time, that takes the same path as a request over HTTP. If the
 * client leaves, the running request notices it and settles as after any disconnect.
 */
export function serveSocket(peer: Peer, conversation: Conversation): void {
  const { opening, caller, codec, route, services, id, onEnd } = conversation;
  const { limits, now, log } = services;
  const most = (route.limits ?? bodyLimits).media;
  const memory = createHistoryMemory(services.bodyMemory, caller, most);
  let running: Promise<void> = Promise.resolve();
  /** The message that is being answered. */
  let current: Message | undefined;
  let idle: NodeJS.Timeout | undefined;

  const startIdleTimer = (before?: Message): void => {
    if (current) return;
    if (services.stopping()) peer.close(...closings.restart);
    clearTimeout(idle);
    if (peer.closed) return;
    const isArriving = before !== undefined && !before.complete;
    const wait = isArriving ? limits.clientBodyTimeout : limits.webSocketIdleTimeout;
    idle = setTimeout(() => peer.close(...closings.idle), wait);
    idle.unref?.();
  };
  const recheck = setInterval(async () => {
    if (!current && !(await conversation.isAdmitted(opening)) && !current)
      peer.close(...closings.unauthorized);
  }, RECHECK_MS);
  recheck.unref?.();

  const refuse = (error: unknown): void => {
    if (peer.closed) return;
    if (isDefect(error)) logDefect(log, error, { request: id });
    const refusal = error instanceof Refusal ? error : new Refusal("internal_error", internalError(id));
    peer.send(refusalFrame(codec, refusal, opening.path, now()));
  };

  const serve = async (message: Message, ended: () => void): Promise<void> => {
    const { onEvent, done } = follow(most);
    const sink = new SocketSink(peer, { codec, writeTimeout: limits.clientWriteTimeout, onEvent, ended });
    let turn: Turn | undefined;
    const exchange: Exchange = {
      ...messageExchange({ opening, id, route, peer, limits }, message),
      toRequest(body) {
        turn = readTurn(body, memory.last);
        return turn.body;
      },
      sink,
    };
    const handler: Route["handler"] = (...request) =>
      (turn?.warmup ? conversation.warmUp : route).handler(...request);
    await conversation.run(exchange, { ...route, handler });
    const finished = done();
    // A provider's 401 does not concern the caller's credential.
    if (sink.status === 401 && !(await conversation.isAdmitted(opening))) {
      memory.keep(undefined);
      peer.close(...closings.unauthorized);
    } else if (turn && finished) memory.keep({ id: finished.id, items: [...turn.items, ...finished.items] });
    if (message.remaining > MOST_DISCARDED) peer.close(...closings.unread);
    else message.resume();
  };

  const unlisten = services.sockets.onStop(() => {
    if (!current) peer.close(...closings.restart);
  });
  peer.listen((message) => {
    // Disconnects a client that sends further messages without reading its answers.
    if (current || peer.isBehind) {
      if (current) refuse(new Refusal("response_in_progress", IN_PROGRESS));
      return peer.close(...closings.flood);
    }
    current = message;
    clearTimeout(idle);
    const end = (): void => {
      if (current === message) current = undefined;
    };
    // The previous request may have sent its last event and still have to write its log line.
    running = running
      .then(() => serve(message, end))
      .catch(refuse)
      .then(end)
      .then(() => startIdleTimer(message));
  });
  peer.onClose(() => {
    clearTimeout(idle);
    clearInterval(recheck);
    unlisten();
    memory.keep(undefined);
    running.then(() => {
      memory.keep(undefined);
      onEnd();
    });
  });
  startIdleTimer();
}

const IN_PROGRESS = "A response is in progress: wait for its last event.";
