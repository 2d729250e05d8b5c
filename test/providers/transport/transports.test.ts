import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import {
  createFetchTransport,
  createTransport,
  type Transport,
  type TransportOptions,
  type UpstreamRequest,
} from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";

const transports: [string, (options?: TransportOptions) => Transport][] = [
  ["its own connections", createTransport],
  ["fetch", createFetchTransport],
];

interface Called {
  transport: Transport;
  /** The text of the answer. */
  text(request?: Partial<UpstreamRequest>): Promise<string>;
  send(request?: Partial<UpstreamRequest>): ReturnType<Transport["send"]>;
}

/** Lets a transport call a server that answers so. */
async function against(
  transport: Transport,
  answer: RequestListener,
  run: (called: Called) => Promise<void>,
): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send: Called["send"] = (request) =>
    transport.send({ origin, path: "/", method: "POST", headers: {}, body: "{}", ...request });
  try {
    await run({
      transport,
      send,
      text: async (request) => new TextDecoder().decode(await (await send(request)).body.bytes(1_000)),
    });
  } finally {
    await transport.close();
    server.closeAllConnections();
    server.close();
  }
}

const begun = (response: ServerResponse, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, headers).write("begun");
const silent: RequestListener = () => {};
const fault = (kind: string) => expect.objectContaining({ kind });

describe.each(transports)("a transport by %s", (_, make) => {
  it("sends the method, the path, the headers and the body, of pieces too", () =>
    against(
      make(),
      async (request, response) => {
        let text = "";
        for await (const piece of request) text += piece;
        const { method, url, headers } = request;
        response.end([method, url, headers["x-one"], headers["content-length"], text].join(" "));
      },
      async ({ text }) => {
        const pieces = [Buffer.from("{ä"), Buffer.from("}")];
        const body = { length: 4, [Symbol.iterator]: () => pieces.values() };
        expect(await text({ path: "/a?b=c", headers: { "x-one": "1" }, body })).toBe("POST /a?b=c 1 4 {ä}");
        expect(await text({ method: "GET", body: undefined } as never)).toMatch(/^GET \/ /);
      },
    ));

  it("hands on every status that HTTP has, with the headers", () =>
    against(
      make(),
      (_, response) => response.writeHead(529, { "set-cookie": ["a=1", "b=2"], "x-two": "2" }).end("late"),
      async ({ send }) => {
        const { status, headers, body } = await send();
        expect([status, headers["x-two"], headers["set-cookie"]]).toEqual([529, "2", ["a=1", "b=2"]]);
        expect(new TextDecoder().decode(await body.bytes(10))).toBe("late");
      },
    ));

  it("follows no redirect, and says where it leads", () =>
    against(
      make(),
      (request, response) =>
        request.url === "/" ? response.writeHead(307, { location: "/on" }).end() : response.end("followed"),
      async ({ send }) => expect(send()).rejects.toMatchObject({ kind: "redirect", location: "/on" }),
    ));

  it("unpacks an answer, and refuses a packing that nobody asked for", () =>
    against(
      make(),
      (request, response) =>
        request.url === "/"
          ? response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"))
          : response.writeHead(200, { "content-encoding": "rot13" }).end("cnpxrq"),
      async ({ send, text }) => {
        expect(await text()).toBe("packed");
        const refused = send({ path: "/odd" }).then(({ body }) => body.bytes(100));
        await expect(refused).rejects.toEqual(fault("encoding"));
      },
    ));

  it("says for certain that nobody was reached", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const transport = make();
    const request = { origin: `http://127.0.0.1:${port}`, path: "/", method: "GET", headers: {} } as const;
    await expect(transport.send(request)).rejects.toEqual(fault("connect"));
    await transport.close();
  });

  it.each<[string, RequestListener]>([
    ["before its head", (request) => void request.socket.destroy()],
    ["in its body", (_, response) => void response.writeHead(200).write("be", () => response.destroy())],
    [
      "short of its length",
      (_, response) =>
        void response.writeHead(200, { "content-length": 9 }).write("begun", () => response.destroy()),
    ],
  ])("does not know what became of a call whose connection broke %s", (_, answer) =>
    against(make(), answer, async ({ text }) => expect(text()).rejects.toEqual(fault("reset"))),
  );

  it("waits for the head of an answer as long as it is told", () =>
    against(
      make({ firstByte: 30 }),
      () => undefined,
      async ({ send }) => expect(send()).rejects.toEqual(fault("timeout")),
    ));

  it("waits for its bytes as long as it is told", () =>
    against(
      make({ idle: 200 }),
      (_, response) => begun(response),
      async ({ send }) => {
        const { body } = await send();
        expect(new TextDecoder().decode(await body.next())).toBe("begun");
        await expect(body.next()).rejects.toEqual(fault("timeout"));
      },
    ));

  it("cancels a call before, while it waits, and while it is read", () =>
    against(
      make(),
      (request, response) => (request.url === "/" ? begun(response) : undefined),
      async ({ send }) => {
        await expect(send({ signal: AbortSignal.abort() })).rejects.toEqual(fault("cancelled"));
        const waiting = new AbortController();
        const waits = send({ path: "/silent", signal: waiting.signal });
        waiting.abort();
        await expect(waits).rejects.toEqual(fault("cancelled"));
        const reading = new AbortController();
        const { body } = await send({ signal: reading.signal });
        await body.next();
        const next = body.next();
        reading.abort();
        await expect(next).rejects.toEqual(fault("cancelled"));
      },
    ));

  it("lets the connection go when the reader has had enough", async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    await against(
      make(),
      (_, response) => {
        response.on("close", left);
        begun(response);
      },
      async ({ send }) => {
        const { body } = await send();
        await body.next();
        body.cancel();
        await gone;
      },
    );
  });

  it("breaks off what is under way when it is closed", () =>
    against(make(), silent, async ({ send, transport }) => {
      const sent = send();
      const ends = expect(sent).rejects.toEqual(fault("reset"));
      await transport.close();
      await ends;
      await expect(send()).rejects.toBeInstanceOf(Error);
    }));

  it("rejects with the defect itself for a call that cannot be made", () =>
    against(make(), silent, async ({ send }) => {
      const error = await send({ headers: { "not a header": "x" } }).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toHaveProperty("kind");
    }));
});

it("a slow reader of a transport by fetch holds the provider back", () => {
  const piece = Buffer.alloc(64 * 1024);
  let sent = 0;
  let full = (): void => {};
  const held = new Promise<void>((resolve) => {
    full = resolve;
  });
  return against(
    createFetchTransport(),
    (_, response) => {
      const write = (): void => {
        if (sent === 1_024) return void response.end();
        sent += 1;
        if (response.write(piece)) setImmediate(write);
        else {
          full();
          response.once("drain", write);
        }
      };
      response.writeHead(200);
      write();
    },
    async ({ send }) => {
      const { body } = await send();
      await held;
      for (let turn = 0; turn < 200; turn++) await new Promise((next) => setImmediate(next));
      expect(sent).toBeLessThan(1_024);
      expect((await body.bytes(2 ** 27)).length).toBe(1_024 * piece.length);
    },
  );
});
