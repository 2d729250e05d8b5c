import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Json } from "@manifold-gateway/core/codec";
import { lookupHash } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyLimits } from "../../../packages/gateway/src/http/body.ts";
import { Refusal } from "../../../packages/gateway/src/http/refusal.ts";
import { Tally } from "../../../packages/gateway/src/http/tally.ts";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";

const MIB = 1024 * 1024;

/** The head of a request whose body is to follow. */
const head = (headers: string, { key = KEY, path = CHAT } = {}): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n${headers}\r\n\r\n`;
const sized = (length: number): string => `content-type: application/json\r\ncontent-length: ${length}`;

const open: Socket[] = [];
async function begin(h: Stage, ...pieces: (string | Buffer)[]): Promise<Socket> {
  const socket = connect(Number(new URL(h.origin).port), "127.0.0.1");
  open.push(socket);
  socket.on("error", () => {});
  for (const piece of pieces) socket.write(piece);
  await once(socket, "connect");
  return socket;
}

/** What a connection is told until it is closed. */
async function told(socket: Socket): Promise<{ status: number; head: string; code: string }> {
  let text = "";
  for await (const chunk of socket) text += chunk;
  const [head = "", body = "{}"] = text.split("\r\n\r\n");
  return { status: Number(head.slice(9, 12)), head, code: JSON.parse(body).code };
}

describe("the size count of a JSON text", () => {
  const count = (value: Json): { depth: number; members: number; values: number } => {
    if (typeof value !== "object" || value === null) return { depth: 0, members: 0, values: 0 };
    const inner = Object.values(value).map(count);
    const own = Object.keys(value).length;
    return {
      depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
      members: Math.max(Array.isArray(value) ? 0 : own, ...inner.map(({ members }) => members)),
      // An array without items counts as one with one.
      values: inner.reduce((sum, { values }) => sum + values, Array.isArray(value) ? Math.max(1, own) : own),
    };
  };
  const name = fc.oneof(fc.string(), fc.constantFrom('"', "\\", '\\"', "[{,:", "a".repeat(100)));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.integer(),
      name,
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(name, tie("value"), { maxKeys: 5 }),
    ),
  }));

  it("the size count refuses exactly what is over a limit, however its bytes come", () => {
    fc.assert(
      fc.property(
        value as fc.Arbitrary<Json>,
        fc.nat(4),
        fc.nat(4),
        fc.nat(20),
        fc.integer({ min: 1, max: 90 }),
        (json, depth, members, values, piece) => {
          const bytes = Buffer.from(JSON.stringify(json));
          const tally = new Tally({ ...bodyLimits, depth, members, values });
          const read = (): void => {
            for (let at = 0; at < bytes.length; at += piece) tally.step(bytes.subarray(at, at + piece));
          };
          const is = count(json);
          const isOver = is.depth > depth || is.members > members || is.values > values;
          if (isOver) expect(read).toThrow(Refusal);
          else expect(read).not.toThrow();
        },
      ),
      { numRuns: 500 },
    );
  });

  it("the size count takes everything for text except strings that could be media", () => {
    const over = (text: string, piece: number): boolean => {
      const bytes = Buffer.from(text);
      const tally = new Tally({ ...bodyLimits, text: 20_000 });
      try {
        for (let at = 0; at < bytes.length; at += piece) tally.step(bytes.subarray(at, at + piece));
        return false;
      } catch {
        return true;
      }
    };
    for (const piece of [1, 63, 64, 65, 1_000, 100_000]) {
      expect(over(JSON.stringify("a".repeat(50_000)), piece)).toBe(false);
      expect(over(`"${"QUJ\\/".repeat(20_000)}"`, piece)).toBe(false);
      expect(over(JSON.stringify(["a".repeat(15_000), "b".repeat(15_000)]), piece)).toBe(true);
      expect(over(JSON.stringify('"'.repeat(15_000)), piece)).toBe(true);
      expect(over(" ".repeat(25_000), piece)).toBe(true);
    }
  });
});

describe("the early refusal of a body", () => {
  let h: Stage;
  beforeAll(async () => {
    h = await startStage({ limits: { clientBodyTimeout: 100 } });
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    await h.close();
  });

  const media = '"b":";base64,","a":';
  it.each([
    ["empty objects", `{${media}[${"{},".repeat(200_000)}`, "body_too_complex"],
    ["small objects", `{${media}[${'{"a":1},'.repeat(100_000)}`, "body_too_complex"],
    ["long numbers", `{${media}[${"1234567890123456789,".repeat(101_000)}`, "body_too_complex"],
    [
      "many members",
      `{${Array.from({ length: 10_001 }, (_, i) => `"${i}":1,`).join("")}`,
      "body_too_complex",
    ],
    ["nesting", `{${media}${"[".repeat(300)}`, "body_too_complex"],
    ["escaped quotes", `{${media}"${'\\"'.repeat(2.1 * MIB)}`, "body_too_large"],
    ["short strings", `{${media}["${"a".repeat(4.1 * MIB).replace(/a{9000}/g, '$&","')}`, "body_too_large"],
  ])("a body is refused before all of it has come: %s", async (_, text, code) => {
    const socket = await begin(h, head(sized(60 * MIB)), text);
    expect(await told(socket)).toMatchObject({
      code,
      head: expect.stringMatching(/\r\nconnection: close/i),
    });
    expect(h.simulator.ledger.entries).toHaveLength(0);
  });

  const field = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n';
  it.each([
    ["JSON", "application/json", CHAT, '{"a":"'],
    ["a form", "multipart/form-data; boundary=b", "/api/chatstyle/v1/images/edits", field],
  ])(
    "a body that comes byte by byte is refused before all of it has come: %s",
    async (_, type, path, first) => {
      const chunked = head(`content-type: ${type}\r\ntransfer-encoding: chunked`, { path });
      const begins = `${first.length.toString(16)}\r\n${first}\r\n`;
      const socket = await begin(h, chunked + begins, "1\r\na\r\n".repeat(20_000));
      expect(await told(socket)).toMatchObject({ status: 400, code: "body_too_complex" });
    },
  );

  it("a form with thousands of parts is refused before all of it has come", async () => {
    const part = `${field}1\r\n`;
    const path = "/api/chatstyle/v1/images/edits";
    const type = `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${60 * MIB}`;
    const socket = await begin(h, head(type, { path }), part.repeat(1_000));
    expect(await told(socket)).toMatchObject({ status: 400, code: "invalid_form" });
  });

  it("a slowly dripping body is refused, and not run when its rest comes", async () => {
    const body = JSON.stringify({ model: "sim-chatstyle", messages: [{ role: "user", content: "hi" }] });
    const socket = await begin(h, head(sized(body.length)), body.slice(0, 20));
    const [answer] = await once(socket, "data");
    socket.write(body.slice(20));
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
    expect(String(answer)).toContain('"code":"request_timeout"');
    await once(socket, "close");
    expect((await h.call("/api/v1/ai/models")).status).toBe(200);
    expect(h.simulator.ledger.entries).toHaveLength(0);
  });
});

describe("a large body", () => {
  let h: Stage;
  const poor = "poor-key-0123456789abcdef";
  beforeAll(async () => {
    h = await startStage({ limits: { bodyBytes: 100 * MIB, bodyBytesPerKey: 64 * MIB } });
    const at = 1;
    await h.store.accounts.ensure({ id: "poor", name: "poor", at });
    const accounts: [string, string, string][] = [
      ["poor", "poor", poor],
      ["two", "acc", "second-key-0123456789"],
      ["three", "acc", "third-key-01234567890"],
    ];
    for (const [id, accountId, key] of accounts)
      await h.store.keys.create({ id, accountId, name: id, prefix: id, hash: lookupHash(key), at });
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    await h.close();
  });

  it("a picture with escaped slashes in a large body is not counted as text", async () => {
    const url = `data:image/png;base64,${"QUJ/".repeat(1.2 * MIB)}`;
    const text = JSON.stringify({
      model: "sim-chatstyle",
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
    }).replaceAll("/", "\\/");
    expect((await h.call(CHAT, text)).status).toBe(200);
  });

  it("a large body of a caller without credit is refused before it comes", async () => {
    const socket = await begin(h, head(sized(5 * MIB), { key: poor }));
    expect(await told(socket)).toMatchObject({
      status: 403,
      code: "insufficient_balance",
      head: expect.stringMatching(/\r\nconnection: close/i),
    });
  });

  it("an unannounced large body of a caller without credit is refused where it becomes large", async () => {
    const chunked = "content-type: application/json\r\ntransfer-encoding: chunked";
    const piece = `${MIB.toString(16)}\r\n${" ".repeat(MIB)}\r\n`;
    const socket = await begin(h, head(chunked, { key: poor }), piece.repeat(5));
    expect(await told(socket)).toMatchObject({ status: 403, code: "insufficient_balance" });
  });

  it("a large body takes its room from its key's and the whole limit until its request has ended", async () => {
    const large = head(sized(40 * MIB));
    const first = await begin(h, large);
    const second = await begin(h, large);
    // The one of the two that comes second is refused.
    const refused = await Promise.race([told(first), told(second)]);
    expect(refused).toMatchObject({ status: 429, code: "too_many_bytes" });
    expect(refused.head).toMatch(/\r\nretry-after: 1\r\n/);
    const other = await begin(h, head(sized(40 * MIB), { key: "second-key-0123456789" }));
    const third = await begin(h, head(sized(40 * MIB), { key: "third-key-01234567890" }));
    expect(await Promise.race([told(other), told(third)])).toMatchObject({
      status: 503,
      code: "server_busy",
    });
    for (const socket of open) socket.destroy();
    // The room is free again once the service has heard that they left.
    let code = "too_many_bytes";
    while (code === "too_many_bytes") code = (await told(await begin(h, large, " ".repeat(5 * MIB)))).code;
    expect(code).toBe("body_too_large");
  });
});
