import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCallers } from "../../../apps/server/src/listener/client-address.ts";
import { createHttpServer } from "../../../apps/server/src/listener/server.ts";

const REQUEST = "GET /x HTTP/1.1\r\nhost: x\r\n\r\n";
const lines: [Record<string, unknown>, string][] = [];
const note = (fields: Record<string, unknown>, text: string): void => void lines.push([fields, text]);
let server: Server;
let serve: (request: IncomingMessage, response: ServerResponse) => void;
let served = 0;
let clients: Socket[] = [];

async function start(requestsPerMinutePerAddress = 1_000_000): Promise<void> {
  const node = (request: IncomingMessage, response: ServerResponse): void => {
    served += 1;
    serve(request, response);
  };
  const limits = { connections: 100, connectionsPerAddress: 100, requestsPerMinutePerAddress };
  const log = { info: note, warn: note, error: note };
  server = createHttpServer({ node }, limits, { log });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}
beforeEach(() => {
  served = 0;
  lines.length = 0;
  clients = [];
  serve = (_, response) => void response.end("served");
});
afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function send(text: string): Socket {
  const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  client.on("error", () => {});
  client.write(text);
  clients.push(client);
  return client;
}

/** All that a connection is told, up to `end` or its close. */
async function told(client: Socket, end?: (text: string) => boolean): Promise<string> {
  let text = "";
  try {
    for await (const chunk of client.iterator({ destroyOnReturn: false })) {
      text += chunk;
      if (end?.(text)) break;
    }
  } catch {
    // It was cut.
  }
  return text;
}
const answers = (text: string): number => text.split("HTTP/1.1 ").length - 1;

it("a connection that sends thousands of requests at once is cut off, and the next one is served", async () => {
  await start();
  const flood = send(REQUEST.repeat(20_000));
  const beside = send(REQUEST);
  await told(flood);
  expect(served).toBeLessThan(100);
  expect(await told(beside, (text) => text.endsWith("served"))).toContain("200 OK");
  expect(await told(send(REQUEST), (text) => text.endsWith("served"))).toContain("200 OK");
});

it.each([
  ["is cut off", 1_000_000],
  ["is over its rate", 30],
])("nothing that has arrived behind the request at which a connection %s is parsed", async (_, rate) => {
  await start(rate);
  let parsed = 0;
  const count = (): void => {
    parsed += 1;
  };
  subscribe("http.server.request.start", count);
  await told(send(REQUEST.repeat(2_000)));
  unsubscribe("http.server.request.start", count);
  expect(parsed).toBeGreaterThan(0);
  expect(parsed).toBeLessThan(40);
});

it("pipelined requests are answered in their order, few of them at one time", async () => {
  await start();
  let running = 0;
  let most = 0;
  serve = (request, response) => {
    running += 1;
    most = Math.max(most, running);
    setImmediate(() => {
      running -= 1;
      response.end(`<${request.url}>`);
    });
  };
  const paths = Array.from({ length: 30 }, (_, i) => `/${i}`);
  const text = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join("");
  const answer = await told(send(text), (all) => all.includes("</29>"));
  expect(Array.from(answer.matchAll(/<(.*?)>/g), ([, path]) => path)).toEqual(paths);
  expect(most).toBe(4);
});

it.each([
  ["fifty", 50],
  ["a hundred thousand", 100_000],
])(
  "a client that pipelines %s requests gets the answers to the first 36 in their order, then the end",
  async (_, sent) => {
    await start();
    serve = (request, response) => void setImmediate(() => response.end(`<${request.url}>`));
    const paths = Array.from({ length: sent }, (_, i) => `/${i}`);
    const client = send(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(""));
    const answer = await told(client);
    expect(Array.from(answer.matchAll(/<(.*?)>/g), ([, path]) => path)).toEqual(paths.slice(0, 36));
    expect(answer.match(/\r\nconnection: close\r\n/gi)).toHaveLength(1);
    expect(answer.slice(answer.lastIndexOf("HTTP/1.1 "))).toMatch(/\r\nconnection: close\r\n/i);
    expect(served).toBe(36);
  },
);

it.each([20, 50])(
  "of %i pipelined requests, those that wait do not run after their client has left",
  async (sent) => {
    await start();
    let first: ServerResponse | undefined;
    serve = (_, response) => {
      first ??= response;
    };
    const client = send(REQUEST.repeat(sent));
    await expect.poll(() => served).toBe(4);
    const closed = once(first as ServerResponse, "close");
    client.resetAndDestroy();
    await closed;
    expect(served).toBe(4);
  },
);

it("an address over its rate is refused, its connection ends, and the log has one line and a number", async () => {
  await start(30);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (let i = 0; i < 3; i++) await told(send(REQUEST), (text) => text.endsWith("served"));
  for (let i = 0; i < 4; i++) {
    const text = await told(send(REQUEST.repeat(3)));
    expect(text).toMatch(/^HTTP\/1\.1 429 [\s\S]*\r\nconnection: close\r\n[\s\S]*retry-after: [12]\r\n/);
    expect(text).toContain('"code":"too_many_requests_from_address"');
    expect(text).toContain('"path":"/x"');
    expect(answers(text)).toBe(1);
  }
  expect(served).toBe(3);
  vi.advanceTimersByTime(1_000);
  expect(lines).toEqual([
    [{ address: "127.0.0.1", code: "too_many_requests_from_address" }, "request refused"],
    [{ address: "127.0.0.1", code: "too_many_requests_from_address", refused: 3 }, "requests refused"],
  ]);
});

it.each(["before", "after"])(
  "garbage behind requests leaves their answers whole, and ends the connection: it comes %s the first head",
  async (moment) => {
    await start();
    const held: ServerResponse[] = [];
    serve = (_, response) => void held.push(response);
    const client = send(REQUEST.repeat(2));
    await expect.poll(() => held.length).toBe(2);
    const [first, second] = held as [ServerResponse, ServerResponse];
    const refused = once(server, "clientError");
    if (moment === "after") for (const response of held) response.writeHead(200).write("fir");
    client.write("garbage\r\n\r\n");
    await refused;
    client.write(REQUEST);
    first.end("st");
    second.end("second");
    const answer = await told(client);
    expect(answers(answer)).toBe(2);
    expect(answer).toMatch(/st[\s\S]*second[\s0]*$/);
    expect(served).toBe(2);
  },
);

it("a connection with garbage in a body is cut where an answer has begun", async () => {
  await start();
  serve = (_, response) => void response.writeHead(200).write("first");
  const client = send("POST /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
  await once(client, "data");
  client.write("garbage\r\n");
  expect(await told(client)).toBe("");
});

it("little is read from a refused connection, however much it sends", async () => {
  await start();
  const arrives = once(server, "connection");
  const client = send(`garbage\r\n\r\n${"x".repeat(32 * 1024 * 1024)}`);
  const [socket] = await arrives;
  expect(await told(client)).toMatch(/^HTTP\/1\.1 400 /);
  expect(socket.bytesRead).toBeLessThan(2 * 1024 * 1024);
});

it("a client that sends a large body gets the answer that refuses it before it has arrived", async () => {
  await start();
  serve = (_, response) =>
    void response.writeHead(401, { connection: "close", "content-length": 7 }).end("refused");
  const size = 16 * 1024 * 1024;
  const client = send(`POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`);
  client.write(Buffer.alloc(size));
  // A client of this kind reads only once it has sent what the connection takes.
  const [socket] = (await once(server, "connection")) as [Socket];
  const failed = once(client, "error").then(() => "reset");
  await once(socket, "finish");
  const text = await Promise.race([told(client), failed]);
  expect(text).toMatch(/^HTTP\/1\.1 401 [\s\S]*refused$/);
  expect(socket.bytesRead).toBeLessThan(4 * 1024 * 1024);
});

it("a request that came too late is not run when its rest comes", async () => {
  await start();
  const arrives = once(server, "connection");
  const client = send("GET /late HTTP/1.1\r\nhost:");
  const [socket] = await arrives;
  // Node looks for them every five seconds.
  const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
  server.emit("clientError", late, socket);
  client.write(" x\r\n\r\n");
  const text = await told(client);
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(answers(text)).toBe(1);
  expect(served).toBe(0);
});

it("addresses are counted by the range that one caller has", () => {
  const { ofSocket, ofRequest } = createCallers(["10.0.0.0/8"]);
  const of = (remoteAddress: string, forwarded?: string): string =>
    ofRequest({
      socket: { remoteAddress },
      headers: { ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) },
    } as never);
  expect(of("::ffff:1.2.3.4")).toBe("1.2.3.4");
  expect(of("2001:db8:1:2:3::4")).toBe(of("2001:db8:1:2:ffff::"));
  expect(of("2001:db8:1:2::")).not.toBe(of("2001:db8:1:3::"));
  expect(of("10.1.1.1", "9.9.9.9, 1.2.3.4")).toBe("1.2.3.4");
  expect(of("1.2.3.4", "9.9.9.9")).toBe("1.2.3.4");
  expect(ofSocket({ remoteAddress: "10.1.1.1" } as never)).toBe("10.1.1.1");
});
