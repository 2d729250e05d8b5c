import { Agent, type IncomingMessage, request } from "node:http";

/** What came of one request. Bytes that came before a connection broke still count. */
export interface Reply {
  /** Absent: the connection broke before an answer began. */
  status?: number;
  generation?: string;
  body: string;
  /** The answer came to its end. */
  whole: boolean;
}

export interface PostOptions {
  headers?: Record<string, string>;
  /** Called for a head and each piece of a body; `leave` breaks the connection off. */
  seen?(leave: () => void): void;
  /** Leaves after so many ms, whatever has come. */
  patience?: number | undefined;
}

export interface Client {
  /** Never rejects: a broken connection is an outcome. An object is sent as JSON, bytes as they are. */
  post(url: string, key: string, body: object, options?: PostOptions): Promise<Reply>;
  close(): void;
}

export function createClient(connections: number): Client {
  // In turn: one that lay idle for a minute would be closed by its server as the next request is sent.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" });
  return {
    post: (url, key, body, { headers, seen = () => {}, patience } = {}) =>
      new Promise((done) => {
        const reply: Reply = { body: "", whole: false };
        const outgoing = request(url, {
          agent,
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": key, ...headers },
        });
        const leave = (): void => void outgoing.destroy();
        const timer = patience === undefined ? undefined : setTimeout(leave, patience);
        const end = (whole: boolean): void => {
          clearTimeout(timer);
          done({ ...reply, whole });
        };
        outgoing.on("error", () => end(false));
        outgoing.on("response", (response: IncomingMessage) => {
          reply.status = response.statusCode;
          reply.generation = response.headers["x-generation-id"] as string | undefined;
          seen(leave);
          response.setEncoding("utf8");
          response.on("data", (text: string) => {
            reply.body += text;
            seen(leave);
          });
          response.on("error", () => {});
          response.on("close", () => end(response.complete));
        });
        outgoing.end(body instanceof Uint8Array ? body : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}

/** Runs `work` for 0, 1, 2, … with so many at once, until it says that there is no more. */
export async function inParallel(width: number, work: (index: number) => Promise<boolean>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (await work(next++));
  };
  await Promise.all(Array.from({ length: width }, lane));
}
