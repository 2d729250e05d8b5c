import * as zlib from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDecoded } from "../../../packages/gateway/src/http/packed-body.ts";
import { Refusal } from "../../../packages/gateway/src/http/refusal.ts";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { asks } from "../text/scripted.ts";

const encoders: [string, (bytes: Buffer) => Buffer][] = [
  ["gzip", zlib.gzipSync],
  ["GZIP", zlib.gzipSync],
  ["deflate", zlib.deflateSync],
  ["deflate", zlib.deflateRawSync],
  ["br", (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ["zstd", zlib.zstdCompressSync],
];
const MIB = 1024 * 1024;

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const post = (path: string, encoding: string, body: Buffer, type = "application/json") =>
  fetch(h.origin + path, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": type, "content-encoding": encoding },
    body: new Uint8Array(body),
  });

describe.each(encoders)("a body in %s", (name, encode) => {
  it.each(Object.entries(asks))("it is read on the surface: %s", async (_, ask) => {
    const [path, body] = ask("sim-chatstyle", false);
    const response = await post(path, name, encode(Buffer.from(JSON.stringify(body))));
    expect(response.status, await response.text()).toBe(200);
  });

  it("it is read on a route that takes a few fields", async () => {
    const fields = Buffer.from(JSON.stringify({ name: "encoded" }));
    const known = await post("/api/v1/account/keys", "identity", fields);
    expect((await post("/api/v1/account/keys", name, encode(fields))).status).toBe(known.status);
  });

  it("it is read as a form", async () => {
    const form = new FormData();
    form.set("model", "nothing");
    form.set("prompt", "A cat");
    const plain = new Response(form);
    const type = plain.headers.get("content-type") ?? "";
    const response = await post(
      "/api/chatstyle/v1/videos",
      name,
      encode(Buffer.from(await plain.bytes())),
      type,
    );
    expect(await response.text()).toContain("nothing");
  });

  it("a body that unpacks to more than the limit is a 413", async () => {
    const [path] = asks.chatstyle("sim-chatstyle", false);
    const response = await post(path, name, encode(Buffer.alloc(65 * MIB, " ")));
    expect([response.status, (await response.json()).code]).toEqual([413, "body_too_large"]);
  });

  it("the limit of text applies to what it unpacks to", async () => {
    const [path, body] = asks.chatstyle("sim-chatstyle", false);
    const long = { ...body, user: "x".repeat(5 * MIB) };
    const response = await post(path, name, encode(Buffer.from(JSON.stringify(long))));
    expect([response.status, (await response.json()).code]).toEqual([413, "body_too_large"]);
  });

  it("decoding stops at the limit", async () => {
    let decoded = 0;
    const packed = encode(Buffer.alloc(32 * MIB));
    const reading = readDecoded({ header: () => name, body: async () => packed }, MIB, {
      add: ({ length }) => {
        decoded += length;
      },
    });
    await expect(reading).rejects.toMatchObject({ code: "body_too_large" });
    expect(decoded).toBeLessThanOrEqual(MIB);
  });

  it("an error of the counter ends the decoding", async () => {
    const full = new Refusal("server_busy", "Full.");
    const packed = encode(Buffer.alloc(MIB));
    const reading = readDecoded({ header: () => name, body: async () => packed }, MIB, {
      add() {
        throw full;
      },
    });
    await expect(reading).rejects.toBe(full);
  });

  it("a body that was cut or is of another encoding is a 400", async () => {
    const [path, body] = asks.chatstyle("sim-chatstyle", false);
    const whole = encode(Buffer.from(JSON.stringify(body)));
    for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.from("{}"), Buffer.alloc(0)]) {
      const response = await post(path, name, bytes);
      expect([response.status, (await response.json()).code]).toEqual([400, "invalid_encoding"]);
    }
  });

  it("any bytes are decoded to what was encoded", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), async (bytes) => {
        const packed = encode(Buffer.from(bytes));
        const pieces: Uint8Array[] = [];
        const whole = await readDecoded({ header: () => name, body: async () => packed }, MIB, {
          add: (piece) => void pieces.push(piece),
        });
        expect(Buffer.from(whole)).toEqual(Buffer.from(bytes));
        expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 20 },
    );
  });
});

it("a zstd frame that demands a large window is refused before it is decoded", async () => {
  const [path] = asks.chatstyle("sim-chatstyle", false);
  // Magic number, a header with a window of 2 to the power of 27, one block that holds `{}`.
  const frame = (window: number) =>
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (window - 10) << 3, 17, 0, 0, 0x7b, 0x7d]);
  expect((await (await post(path, "zstd", frame(23))).json()).code).toBe("invalid_request");
  const response = await post(path, "zstd", frame(27));
  expect([response.status, (await response.json()).code]).toEqual([400, "invalid_encoding"]);
});

it.each(["compress", "gzip, gzip", "rot13"])(
  "another encoding is a 415 that names those taken: %s",
  async (name) => {
    const response = await post("/api/chatstyle/v1/chat/completions", name, Buffer.from("{}"));
    expect(response.status).toBe(415);
    expect(response.headers.get("accept-encoding")).toBe("gzip, deflate, br, zstd");
    expect((await response.json()).errors[0]).toContain("gzip, deflate, br, zstd, or identity");
  },
);

it("an encoded body of a caller without credit is refused once it unpacks to a large one", async () => {
  const poor = await startStage({ credit: 0 });
  const [path] = asks.chatstyle("sim-chatstyle", false);
  const response = await fetch(poor.origin + path, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json", "content-encoding": "gzip" },
    body: new Uint8Array(zlib.gzipSync(Buffer.alloc(8 * MIB, " "))),
  });
  expect(response.status).toBe(403);
  await poor.close();
});

it("a defect while a body is decoded is no damaged body", async () => {
  const defect = new TypeError("defect");
  const exchange = { header: () => "gzip", body: async () => zlib.gzipSync("{}") };
  const add = (): never => {
    throw defect;
  };
  await expect(readDecoded(exchange, 100, { add })).rejects.toBe(defect);
});
