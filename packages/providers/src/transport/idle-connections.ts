import type { Socket } from "node:net";
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from "undici";

/** The most idle connections to one origin. Further ones are closed when their request ends. */
const IDLE = 256;
/** The longest time that a connection stays idle, in milliseconds, even if the provider allows more. */
const LONGEST_IDLE = 30_000;

/** Pooled connections to any origins, each opened within `connect` milliseconds, for one request at a time. */
export const createConnections = (connect: number, most = IDLE): Agent =>
  new Agent({
    connect: { timeout: connect },
    pipelining: 1,
    maxHeaderSize: 64 * 1024,
    keepAliveMaxTimeout: LONGEST_IDLE,
    factory: (origin, options) => {
      const idle = new Set<Client>();
      const factory = (_: URL, clientOptions: object): Client =>
        new Connection(origin, clientOptions as ClientOptions, { idle, most });
      return new Pool(origin, { ...options, factory });
    },
  });

/** The options that a pool passes to its clients, with the connector already built. */
type ClientOptions = Omit<Client.Options, "connect"> & { connect: buildConnector.connector };

/** A connection that becomes idle when its request ends, or closes if its origin has `most` idle ones. */
class Connection extends Client {
  readonly #idle: Set<Client>;

  constructor(
    origin: string | URL,
    { connect, ...options }: ClientOptions,
    { idle, most }: { idle: Set<Client>; most: number },
  ) {
    let socket: Socket | null = null;
    super(origin, {
      ...options,
      connect: (to, callback) =>
        connect(to, (...result) => {
          socket = result[1] ?? null;
          socket?.once("close", () => idle.delete(this));
          callback(...result);
        }),
    });
    this.#idle = idle;
    // Over HTTP/2, other requests may still be running.
    this.on("drain", () => {
      if (this.stats.size > 0 || socket === null || socket.destroyed) return;
      if (idle.size < most) idle.add(this);
      else socket.destroy();
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#idle.delete(this);
    return super.dispatch(options, handler);
  }
}
