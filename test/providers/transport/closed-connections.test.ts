import { createServer } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPooledTransport } from "../../../packages/providers/src/transport/pooled-transport.ts";
import { type Listening, listen } from "../../support/listen.ts";

let listening: Listening;
let received: string[];
let sockets: Set<Socket>;
let breaks: boolean;
const transport = createPooledTransport();
const server = () =>
  createServer(async (request, response) => {
    sockets.add(request.socket);
    let text = "";
    for await (const piece of request) text += piece;
    received.push(text);
    if (breaks) request.socket.resetAndDestroy();
    else response.end("answered");
  });
beforeEach(async () => {
  received = [];
  sockets = new Set();
  breaks = false;
  listening = await listen(server());
});
afterEach(() => listening.close());

const send = async (body: string): Promise<string> => {
  const { origin } = listening;
  const answer = await transport.send({ origin, path: "/", method: "POST", headers: {}, body });
  return Buffer.from(await answer.body.bytes(100)).toString();
};

describe("a request on a connection that the provider has closed", () => {
  it("it is sent once more on a new one, and arrives once", async () => {
    await send("first");
    for (const socket of sockets) socket.resetAndDestroy();
    // The event loop reads that the connection is closed.
    await setImmediate();
    expect(await send("second")).toBe("answered");
    expect(received).toEqual(["first", "second"]);
    expect(sockets.size).toBe(2);
  });

  it("it is not sent again if the provider has received it", async () => {
    await send("first");
    breaks = true;
    await expect(send("second")).rejects.toMatchObject({ kind: "reset" });
    expect(received).toEqual(["first", "second"]);
  });
});
