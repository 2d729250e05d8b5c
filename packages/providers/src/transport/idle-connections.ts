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
      const idle = { count: 0, most };
      const factory = (_: URL, clientOptions: object): Client =>
        new Connection(origin, clientOptions as ClientOptions, idle);
      return new Pool(origin, { ...options, factory });
    },
  });

/** The options that a pool passes to its clients, with the connector already built. */
type ClientOptions = Omit<Client.Options, "connect"> & { connect: buildConnector.connector };

/** The idle connections to one origin, and how many there may be. */
interface Idle {
  count: number;
  readonly most: number;
}

/** A connection that becomes idle when its request ends, or closes if its origin has the most idle ones. */
class Connection extends Client {
  readonly #idle: Idle;
  #isIdle = false;

  constructor(origin: string | URL, { connect, ...options }: ClientOptions, idle: Idle) {
    let socket: Socket | null = null;
    super(origin, {
      ...options,
      connect: (to, callback) =>
        connect(to, (...result) => {
          socket = result[1] ?? null;
          socket?.once("close", () => {
            if (this.#isIdle) idle.count -= 1;
            this.#isIdle = false;
          });
          callback(...result);
        }),
    });
    this.#idle = idle;
    // Over HTTP/2, other requests may still be running.
    this.on("drain", () => {
      if (this.#isIdle || this.stats.size > 0 || socket === null || socket.destroyed) return;
      if (idle.count >= idle.most) {
        socket.destroy();
        return;
      }
      this.#isIdle = true;
      idle.count += 1;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#isIdle) this.#idle.count -= 1;
    this.#isIdle = false;
    return super.dispatch(options, handler);
  }
}
