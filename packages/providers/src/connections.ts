import type { Socket } from "node:net";
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from "undici";

/** Connections to one origin that stay open without a request. Above it, each is closed as its request ends. */
const IDLE = 256;
/** The longest that one stays open so, in milliseconds, whatever the provider hints at. */
const LONGEST_IDLE = 30_000;

/** Pooled connections to any number of origins, each made within `connect` milliseconds; one request at a time on each. */
export const createConnections = (connect: number, most = IDLE): Agent =>
  new Agent({
    connect: { timeout: connect },
    pipelining: 1,
    maxHeaderSize: 64 * 1024,
    keepAliveMaxTimeout: LONGEST_IDLE,
    factory: (origin, options) => {
      const idle = new Set<Client>();
      const factory = (_: URL, given: object): Client =>
        new Connection(origin, given as Given, { idle, most });
      return new Pool(origin, { ...options, factory });
    },
  });

/** The options that a pool gives its clients: it has made the connector. */
type Given = Omit<Client.Options, "connect"> & { connect: buildConnector.connector };

/** A connection that joins the idle ones of its origin as its request ends, or closes where there are `most`. */
class Connection extends Client {
  readonly #idle: Set<Client>;

  constructor(
    origin: string | URL,
    { connect, ...options }: Given,
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
    // Over HTTP/2 others may go on.
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
