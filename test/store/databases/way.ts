import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The way to a server, which can be cut and mended. */
export interface Way {
  /** The address of the server, by this way. */
  url: string;
  /** Breaks every connection and takes no new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** The number of round trips so far: how often something was asked after an answer. */
  trips(): number;
}

export async function openWay(to: string): Promise<Way> {
  const server = new URL(to);
  const sockets = new Set<Socket>();
  let trips = 0;
  const desk = createServer((near) => {
    const far = connect(Number(server.port || 5432), server.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    let isAnswered = true;
    near.on("data", () => {
      if (isAnswered) trips += 1;
      isAnswered = false;
    });
    far.on("data", () => {
      isAnswered = true;
    });
    near.pipe(far).pipe(near);
  });
  const listen = async (port: number): Promise<number> => {
    desk.listen(port, "127.0.0.1");
    await once(desk, "listening");
    return (desk.address() as AddressInfo).port;
  };
  const port = await listen(0);
  return {
    url: Object.assign(new URL(to), { host: `127.0.0.1:${port}` }).href,
    async cut() {
      const closed = once(desk, "close");
      desk.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      await listen(port);
    },
    trips: () => trips,
  };
}
