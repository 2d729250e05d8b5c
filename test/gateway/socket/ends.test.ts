import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defineProvider } from "@manifold-gateway/providers";
import { afterEach, expect, it } from "vitest";
import { modelOf, PROTOCOLS, price } from "../../support/text.ts";
import { expectChargeOfAborted, SLOW } from "../../system/sdk/shared.ts";
import { create, type Said, type SocketStage, stage, textOf } from "./stage.ts";

let s: SocketStage;
afterEach(() => s.close());

it.each(PROTOCOLS)(
  "a client of %s that left its socket is charged for what the model said",
  async (protocol) => {
    s = await stage();
    const before = (await s.h.balance()).balance;
    const line = await s.open();
    line.send(create(modelOf(protocol), SLOW));
    while ((await line.next()).type !== "response.output_text.delta");
    line.socket.terminate();
    await expectChargeOfAborted(s.h, before);
  },
);

it("a socket closes after a long rest, but not while a response is running", async () => {
  s = await stage({ limits: { webSocketIdleTimeout: 100 } });
  const line = await s.open();
  // Longer than the pause.
  expect((await line.answer(create("sim-chatstyle", SLOW))).at(-1)?.type).toBe("response.completed");
  expect(await line.closed).toBe(1000);
});

it("a stopping service closes idle sockets, and others after their answer", async () => {
  s = await stage();
  const [rests, busy] = [await s.open(), await s.open()];
  busy.send(create("sim-msgstyle", SLOW));
  const events: Said[] = [await busy.next()];
  const drained = s.h.gateway.drain();
  expect(await rests.closed).toBe(1012);
  while (events.at(-1)?.type !== "response.completed") events.push(await busy.next());
  expect(await busy.closed).toBe(1012);
  await drained;
  expect(await s.h.balance()).toMatchObject({ held: 0 });
});

/** A provider of one answer, on a model of its own. */
async function scripted(answer: (res: ServerResponse) => void): Promise<Server> {
  const server = createServer((req, res) => {
    req.resume();
    req.on("end", () => answer(res));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entries = [{ provider: "odd", name: "odd", priority: 1, isActive: true, price }];
  const about = { inputModalities: ["text" as const], outputModalities: ["text" as const], isActive: true };
  s = await stage({
    models: [{ id: "odd", ...about, revision: 1, createdAt: "2026-01-01T00:00:00.000Z", entries }],
    providers: new Map([["odd", defineProvider("odd", { origin, speaks: ["responses"], drain: 0 })]]),
  });
  return server;
}

const frame = (event: object & { type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const created = { type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } };
const delta = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hel" };
const stream = { "content-type": "text/event-stream" };

it.each([
  [
    "that breaks off says so by an error",
    (res: ServerResponse) =>
      res.writeHead(200, stream).write(frame(created) + frame(delta), () => res.destroy()),
    "Hel",
    { status: 502, error: { message: expect.stringMatching(/./) } },
  ],
  [
    "that ends early says so by an error",
    (res: ServerResponse) => res.writeHead(200, stream).end(frame(created) + frame(delta)),
    "Hel",
    { status: 502, error: { message: expect.stringMatching(/ended before/) } },
  ],
  [
    "with an error in it says its status too",
    (res: ServerResponse) =>
      res.writeHead(200, stream).end(
        frame(created) +
          frame({
            type: "error",
            code: "rate_limit_exceeded",
            message: "Slow down.",
            param: null,
          } as never),
      ),
    "",
    { status: 429, code: "rate_limit_exceeded", message: "Slow down.", error: { message: "Slow down." } },
  ],
  [
    "with an error of another form in it says its type and status too",
    (res: ServerResponse) =>
      res
        .writeHead(200, stream)
        .end(
          `${frame(created)}data: {"error":{"message":"Busy.","type":"server_error"},"sequence_number":1}\n\n`,
        ),
    "",
    { status: 502, sequence_number: 1, error: { message: "Busy.", type: "server_error" } },
  ],
  [
    "that is an error keeps the provider's own words and status",
    (res: ServerResponse) =>
      res
        .writeHead(429, { "content-type": "application/json", "retry-after": "7" })
        .end(
          '{"error":{"message":"Too many.","type":"tokens","code":"slow","param":null,"plan_type":"pro"}}',
        ),
    "",
    {
      ...{ status: 429, headers: { "retry-after": "7", "x-generation-id": expect.any(String) } },
      error: { message: "Too many.", type: "tokens", code: "slow", param: null, plan_type: "pro" },
    },
  ],
] as const)("an answer %s, and the socket goes on", async (_, answer, text, said) => {
  const upstream = await scripted(answer as (res: ServerResponse) => void);
  const line = await s.open();
  for (let time = 0; time < 2; time++) {
    const events = await line.answer(create("odd", "Say hello."));
    expect(events.at(-1)).toMatchObject({ type: "error", ...said });
    expect(textOf(events)).toBe(text);
  }
  await s.h.settled();
  expect(await s.h.store.money.audit()).toEqual([]);
  upstream.closeAllConnections();
  upstream.close();
});

it("closing a socket frees a model that is free to stop", async () => {
  let freed = (): void => {};
  const over = new Promise<void>((resolve) => {
    freed = resolve;
  });
  const upstream = await scripted((res) => {
    res.on("close", freed);
    res.writeHead(200, stream).write(frame(created) + frame(delta));
  });
  const line = await s.open();
  line.send(create("odd", "Say hello."));
  while ((await line.next()).type !== "response.output_text.delta");
  line.socket.close();
  await over;
  await s.h.settled();
  upstream.close();
});

it.each(PROTOCOLS)(
  "an answer of %s that fails has one end, so that the next begins after it",
  async (protocol) => {
    s = await stage();
    const line = await s.open();
    const failing = "[[fault:error-after=2]] [[text:One two three four five six.]]";
    expect((await line.answer(create(modelOf(protocol), failing))).at(-1)).toMatchObject({ type: "error" });
    const events = await line.answer(create(modelOf(protocol), "Say hello."));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(["response.created", "response.completed"]);
  },
);
