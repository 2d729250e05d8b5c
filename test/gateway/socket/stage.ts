import { once } from "node:events";
import type { Server } from "node:http";
import type { GatewayOptions, Model } from "@manifold-gateway/gateway";
import { WebSocket } from "ws";
import { createHttpServer } from "../../../apps/server/src/listener/server.ts";
import { serveSockets } from "../../../apps/server/src/listener/web-sockets.ts";
import { KEY } from "../../support/holder.ts";
import { listen } from "../../support/listen.ts";
import { recordLog } from "../../support/log.ts";
import { type Stage, startStage } from "../../support/stage.ts";

export const PATH = "/api/chatstyle/v1/responses";
export const LIMITS = { connections: 100, connectionsPerAddress: 100, requestsPerMinutePerAddress: 60_000 };

/** An event of a response, as loosely as tests read it. */
// biome-ignore lint/suspicious/noExplicitAny: events of every shape
export type Said = Record<string, any> & { type: string };

/** A socket, and what comes over it in order. */
export interface Line {
  socket: WebSocket;
  send(message: unknown): void;
  /** The next event; rejects where the socket closes first. */
  next(): Promise<Said>;
  /** The events of one response, to its last. */
  answer(message: unknown): Promise<Said[]>;
  /** The code that the socket is closed with. */
  closed: Promise<number>;
}

const LAST = new Set(["response.completed", "response.incomplete", "response.failed", "error"]);

export interface SocketStage {
  h: Stage;
  /** Of a server that serves WebSockets. */
  origin: string;
  server: Server;
  /** Lines that were logged. */
  lines: Record<string, unknown>[];
  open(headers?: Record<string, string>, path?: string): Promise<Line>;
  /** The status and body that an opening is refused with. */
  refused(path: string, headers?: Record<string, string>): Promise<{ status: number; body: Said }>;
  close(): Promise<void>;
}

export async function stage(
  more: Partial<GatewayOptions> & {
    models?: Model[];
    credit?: number;
    pulse?: number;
    /** Requests of one address without a valid credential. */
    perMinute?: number;
  } = {},
): Promise<SocketStage> {
  const { pulse, perMinute = LIMITS.requestsPerMinutePerAddress, ...options } = more;
  const lines: Record<string, unknown>[] = [];
  const { log } = recordLog(({ fields }) => void lines.push(fields));
  const h = await startStage({ log, ...options });
  const { upgrades, hasCredential } = h.gateway;
  const limits = { ...LIMITS, requestsPerMinutePerAddress: perMinute };
  const server = createHttpServer(h.gateway, limits, { upgrades, hasCredential });
  const cut = serveSockets(server, h.gateway, pulse);
  const { origin } = await listen(server);
  const connect = (path: string, headers: Record<string, string>): WebSocket =>
    new WebSocket(origin.replace("http", "ws") + path, { headers });
  return {
    ...{ h, origin, server, lines },
    async open(headers = {}, path = PATH) {
      const socket = connect(path, { authorization: `Bearer ${KEY}`, ...headers });
      const line = lineOf(socket);
      await once(socket, "open");
      return line;
    },
    async refused(path, headers = {}) {
      const socket = connect(path, headers);
      const [request, response] = await once(socket, "unexpected-response");
      let text = "";
      for await (const chunk of response) text += chunk;
      request.destroy();
      return { status: response.statusCode, body: JSON.parse(text) };
    },
    async close() {
      cut();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await h.close();
    },
  };
}

function lineOf(socket: WebSocket): Line {
  const waiting: Said[] = [];
  const asked: { resolve(event: Said): void; reject(error: Error): void }[] = [];
  socket.on("error", () => {});
  socket.on("message", (data) => {
    const event = JSON.parse(String(data)) as Said;
    const reader = asked.shift();
    if (reader) reader.resolve(event);
    else waiting.push(event);
  });
  const closed = new Promise<number>((resolve) =>
    socket.on("close", (code) => {
      for (const { reject } of asked.splice(0)) reject(new Error(`closed with ${code}`));
      resolve(code);
    }),
  );
  const next = (): Promise<Said> => {
    const event = waiting.shift();
    if (event) return Promise.resolve(event);
    return new Promise((resolve, reject) => asked.push({ resolve, reject }));
  };
  const send = (message: unknown): void =>
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
  return {
    ...{ socket, send, next, closed },
    async answer(message) {
      send(message);
      const events: Said[] = [];
      do events.push(await next());
      while (!LAST.has(events.at(-1)?.type ?? ""));
      return events;
    },
  };
}

/** What asks for a response. */
export const create = (model: string, input: unknown, more: object = {}): object => ({
  type: "response.create",
  ...{ model, input, ...more },
});

/** The text that events of a response say. */
export const textOf = (events: readonly Said[]): string =>
  events.flatMap(({ type, delta }) => (type === "response.output_text.delta" ? [delta] : [])).join("");
