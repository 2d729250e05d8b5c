import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, constants, createBrotliDecompress, createGunzip, gzipSync } from "node:zlib";
import { createTransport, UpstreamFault } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { decoderFor } from "../../../packages/providers/src/transport/content-encoding.ts";
import { type ByteProducer, UpstreamBody } from "../../../packages/providers/src/transport/upstream-body.ts";

/** The body of an answer with this `content-encoding`, whose bytes the test pushes. */
function encodedBody(controller: ByteProducer, encoding: string, length?: string): UpstreamBody {
  const decoder = decoderFor(encoding);
  if (decoder === "unknown") throw new Error(`no decoder for ${encoding}`);
  return new UpstreamBody(controller, length, decoder);
}

const MEGABYTE = 1024 * 1024;

/** What the connection is told, as the transport's own controller keeps it. */
function fakeController() {
  let wake: (() => void) | undefined;
  const controller = {
    paused: false,
    pause: () => {
      controller.paused = true;
    },
    resume: () => {
      controller.paused = false;
      wake?.();
    },
    abort: () => {},
    /** Resolves when bytes may come. */
    flowing: () =>
      new Promise<void>((resolve) => {
        if (controller.paused) wake = resolve;
        else resolve();
      }),
  };
  return controller;
}

const piecesOf = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));

const quickly = (bytes: Uint8Array): Uint8Array =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const packings = [
  ["gzip", gzipSync, createGunzip],
  ["br", quickly, createBrotliDecompress],
] as const;

describe.each(packings)("an answer packed with %s", (encoding, pack, createUnpack) => {
  it("a packed answer that unpacks to much more than its size waits for its reader", async () => {
    const packed = pack(Buffer.alloc(64 * MEGABYTE));
    const controller = fakeController();
    const body = encodedBody(controller, encoding);
    body.push(packed);
    body.finish();
    // By the time that another has unpacked all of it for a reader, this one could have, too.
    const other = createUnpack();
    other.end(packed);
    await once(other.resume(), "end");
    let size = 0;
    for (let piece = await body.next(); piece; piece = await body.next()) {
      expect(piece.length).toBeLessThan(MEGABYTE);
      size += piece.length;
    }
    expect(size).toBe(64 * MEGABYTE);
  });

  it("a packed answer that comes faster than it is unpacked is held back, and is whole at the end", async () => {
    const bytes = randomBytes(4 * MEGABYTE);
    const pieces = piecesOf(pack(bytes), 65_536);
    const controller = fakeController();
    const body = encodedBody(controller, encoding);
    let pushed = 0;
    const push = (): void => {
      for (; pushed < pieces.length && !controller.paused; pushed += 1)
        body.push(pieces[pushed] as Uint8Array);
    };
    push();
    expect(pushed).toBeLessThan(8);
    const all = body.bytes(8 * MEGABYTE);
    while (pushed < pieces.length) {
      await controller.flowing();
      push();
    }
    body.finish();
    expect(bytes.equals(await all)).toBe(true);
  });
});

describe("an answer that cannot be unpacked", () => {
  it("an answer that cannot be unpacked closes its connection", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const write = (): void => {
        if (response.destroyed) return;
        if (response.write("no gzip".repeat(1_000))) setImmediate(write);
        else response.once("drain", write);
      };
      write();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const ends = once(server, "request").then(([, response]) => once(response, "close"));
    const transport = createTransport();
    const { port } = server.address() as AddressInfo;
    const sending = { origin: `http://127.0.0.1:${port}`, path: "/", method: "GET", headers: {} } as const;
    const { body } = await transport.send(sending);
    await expect(body.next()).rejects.toMatchObject({ kind: "encoding" });
    await ends;
    await transport.close();
    server.close();
  });

  it("an answer that cannot be unpacked is a failure where it is merely cut too", async () => {
    const controller = fakeController();
    const body = encodedBody(controller, "gzip");
    body.push(gzipSync("film").subarray(0, 12));
    body.finish();
    await expect(body.bytes(100)).rejects.toMatchObject({ kind: "encoding" });
  });
});

describe("an answer whose connection broke", () => {
  const broken = (bytes: Uint8Array, length: number | undefined, encoding = "identity") => {
    const body = encodedBody(fakeController(), encoding, length?.toString());
    body.push(bytes);
    body.broke(new UpstreamFault("reset"));
    return body.bytes(1_000);
  };

  it("a broken connection leaves an answer whole that has all the bytes of its length, packed or not", async () => {
    expect(await broken(Buffer.from("film"), 4)).toEqual(Buffer.from("film"));
    const packed = gzipSync("film");
    expect(await broken(packed, packed.length, "gzip")).toEqual(Buffer.from("film"));
  });

  it.each([5, undefined])(
    "an answer whose connection broke is a failure with four bytes of %s",
    async (length) => {
      await expect(broken(Buffer.from("film"), length)).rejects.toMatchObject({ kind: "reset" });
    },
  );
});
