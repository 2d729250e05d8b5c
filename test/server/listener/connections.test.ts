import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpServer } from "../../../apps/server/src/listener/server.ts";

const REQUEST = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
let server: Server;
let served = 0;
let sockets: Socket[] = [];
beforeEach(async () => {
  served = 0;
  sockets = [];
  const node = (_: unknown, response: { end(text: string): void }): void => {
    served += 1;
    response.end("served");
  };
  server = createHttpServer(
    { node },
    { connections: 3, connectionsPerAddress: 2, requestsPerMinutePerAddress: 60_000 },
  );
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

/** What a connection from an address is answered to one request; it stays open where it was served. */
async function ask(localAddress: string): Promise<{ text: string; socket: Socket }> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.write(REQUEST);
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.endsWith("served\r\n0\r\n\r\n") || text.endsWith("served")) break;
  }
  return { text, socket };
}

const refusal = (text: string): unknown => JSON.parse(text.slice(text.indexOf("{")));

// Only here is the whole of 127.0.0.0/8 the machine's own.
describe.skipIf(process.platform !== "linux")("connections", () => {
  it("connections of one address above its limit are refused with a reason, and nothing they send is served", async () => {
    await ask("127.0.0.1");
    const { socket } = await ask("127.0.0.1");
    const { text } = await ask("127.0.0.1");
    expect(text).toMatch(/^HTTP\/1\.1 429 .*\r\nretry-after: 1\r\n/);
    expect(refusal(text)).toMatchObject({
      errors: [expect.stringContaining("this address")],
      status: 429,
      success: false,
    });
    expect(served).toBe(2);
    expect((await ask("127.0.0.2")).text).toContain("served");
    socket.destroy();
    let again = "";
    while (!again.includes("served")) again = (await ask("127.0.0.1")).text;
  });

  it("connections above the limit of all are refused with a reason", async () => {
    for (const address of ["127.0.0.1", "127.0.0.2", "127.0.0.3"]) await ask(address);
    const { text } = await ask("127.0.0.4");
    expect(text).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n/);
    expect(refusal(text)).toMatchObject({ status: 503, success: false });
    expect(served).toBe(3);
  });
});
