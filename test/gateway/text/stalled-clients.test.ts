import { once } from "node:events";
import { createServer } from "node:http";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";

const PATH = "/api/chatstyle/v1/chat/completions";
/** More than the buffers on the way to a client hold. */
const LONG = `[[text:${"many words ".repeat(30_000)}]]`;

let h: Stage;
beforeEach(async () => {
  h = await startStage({ limits: { clientWriteTimeout: 20 } });
});
afterEach(() => h.close());

const ask = (model: string, content: string, stream = true): string =>
  JSON.stringify({ model, stream, max_tokens: 500_000, messages: [{ role: "user", content }] });

/** What is sent over a connection that takes nothing; resolves when the gateway has closed it. */
async function sendDeaf(body: string): Promise<void> {
  // Writes never end: what is taken of them is what fits into the server's own buffers.
  const socket = Object.assign(new Duplex({ read() {}, write() {} }), {
    setTimeout: (ms: number) => void (ms > 0 && setTimeout(() => socket.emit("timeout"), ms)),
  });
  const closed = once(socket, "close");
  createServer(h.gateway.node).emit("connection", socket);
  socket.push(
    `POST ${PATH} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await closed;
}

/** Charged once, for all that upstream generated, and not for what the client took. */
async function expectWhole(before: number): Promise<void> {
  await h.settled();
  const { results, total } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
  const { input, output } = h.simulator.ledger.last()!.usage;
  expect(output).toBeGreaterThan(2_000);
  expect([total, results[0]]).toEqual([
    1,
    expect.objectContaining({ status: "aborted", cost: input + 2 * output }),
  ]);
  expect(before - (await h.balance()).balance).toBe(input + 2 * output);
  expect(await h.store.money.audit()).toEqual([]);
}

describe.each(["sim-chatstyle", "sim-msgstyle"])("a client of %s that reads nothing", (model) => {
  it("a client that reads nothing from its socket is disconnected, and its request is settled", async () => {
    const before = (await h.balance()).balance;
    await sendDeaf(ask(model, LONG));
    await expectWhole(before);
  });

  it.each([true, false])(
    "a client that reads nothing after the end is disconnected too; stream: %s",
    async (stream) => {
      await sendDeaf(ask(model, "Hello", stream));
      const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 2 });
      expect(results.map(({ status }) => status)).toEqual(["succeeded"]);
      expect(await h.store.money.audit()).toEqual([]);
    },
  );

  it("a client that reads nothing of a web response is disconnected, and its request is settled", async () => {
    const before = (await h.balance()).balance;
    const response = await h.gateway.fetch(
      new Request(`http://x.test${PATH}`, {
        method: "POST",
        headers: { "x-api-key": KEY },
        body: ask(model, LONG),
      }),
    );
    expect(response.status).toBe(200);
    await expectWhole(before);
    await expect(response.text()).rejects.toThrow();
  });
});
