import { readdirSync } from "node:fs";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FILE } from "@manifold-gateway/core/operations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Spool } from "../../../packages/gateway/src/uploads/spool.ts";
import { Upload } from "../../../packages/gateway/src/uploads/upload.ts";
import { KEY, OTHER } from "../../support/holder.ts";
import type { Stage } from "../../support/stage.ts";
import { form, PATH, send, speech, startTranscription } from "./stage.ts";

const MIB = 1024 * 1024;
let folder: string;
let h: Stage;
const outside = process.env.TMPDIR;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "uploads-"));
  process.env.TMPDIR = folder;
  h = await startTranscription();
});
afterAll(async () => {
  await h.close();
  if (outside === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outside;
  await rm(folder, { recursive: true });
});

/** The files of uploads that are there. */
const files = (): string[] => readdirSync(folder).filter((name) => /^manifold-upload-/.test(name));
async function until(is: () => boolean): Promise<void> {
  for (let tries = 0; !is(); tries++) {
    if (tries > 500) throw new Error("it never came to that");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Sends the beginning of a form by a socket of its own. */
function begin(headers: string, body: string | Buffer) {
  const socket = connect(Number(new URL(h.origin).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-type: multipart/form-data; boundary=b\r\n${headers}\r\n\r\n`,
  );
  socket.write(body);
  return socket;
}
const answerOf = async (socket: ReturnType<typeof begin>): Promise<string> => {
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
};
const head =
  '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nseconds\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';

describe("files of requests", () => {
  it("what a killed process left is removed after a day, by the next that keeps a file", async () => {
    const left = ["old", "new"].map((name) => join(folder, `manifold-upload-${name}`));
    for (const path of left) await writeFile(path, "a");
    await utimes(left[0]!, 0, Date.now() / 1000 - 25 * 3600);
    const spool = new Spool();
    await spool.append(Buffer.alloc(MIB));
    await until(() => files().length === 2);
    expect(files()).toContain("manifold-upload-new");
    spool.close();
    await rm(left[1]!);
    await until(() => files().length === 0);
  });

  it("a large recording waits in a file, which is gone after the answer", async () => {
    const seen: number[] = [];
    const bytes = speech(60);
    expect(bytes.length).toBeGreaterThan(2 * MIB);
    const ask = send(h, form({ model: "seconds", prompt: "[[fault:stall=200]]" }, { bytes }));
    await until(() => files().length > 0);
    seen.push(files().length);
    expect((await ask).status).toBe(200);
    await until(() => files().length === 0);
    expect(seen).toEqual([1]);
    expect((h.simulator.ledger.last()!.request as { file: unknown[] }).file).toHaveLength(1);
  });

  it.each([
    [
      "is refused",
      () => send(h, form({ model: "nothing" }, { bytes: speech(60) })).then(({ status }) => status),
    ],
    [
      "fails at its provider",
      () =>
        send(h, form({ model: "seconds", prompt: "[[fault:reset]]" }, { bytes: speech(60) })).then(
          ({ status }) => status,
        ),
    ],
    [
      "breaks off",
      async () => {
        const socket = begin(`content-length: ${9 * MIB}`, Buffer.concat([Buffer.from(head), speech(60)]));
        await until(() => files().length > 0);
        socket.destroy();
        return 400;
      },
    ],
  ])("the file is gone where the request %s", async (_, ask) => {
    expect(await ask()).toBeGreaterThanOrEqual(400);
    await until(() => files().length === 0);
  });

  it("a form over the limit is refused before it is read, or at the limit", async () => {
    const told = await answerOf(begin(`content-length: ${300 * MIB}`, head));
    expect(told).toMatch(/^HTTP\/1\.1 413 /);
    expect(told).toContain("268435456");
    expect(files()).toEqual([]);
  });

  it("without credit only small forms are read", async () => {
    const poor = await startTranscription({ credit: 0, holders: [OTHER] });
    try {
      const length = 5 * MIB;
      let sent = 0;
      const endless = new ReadableStream({
        pull(controller) {
          sent += 64 * 1024;
          controller.enqueue(
            sent === 64 * 1024 ? Buffer.from(head.padEnd(64 * 1024)) : new Uint8Array(64 * 1024),
          );
        },
      });
      const headers = { "x-api-key": OTHER.key!, "content-type": "multipart/form-data; boundary=b" };
      const chunked = await send(poor, endless, { headers }).catch(() => undefined);
      if (chunked) expect(chunked.status).toBe(403);
      expect(sent).toBeLessThan(16 * MIB);
      const sized = await send(poor, Buffer.alloc(length), { headers }).catch(() => undefined);
      if (sized) expect(sized.status).toBe(403);
    } finally {
      await poor.close();
    }
  });
});

describe("bodies made of an upload", () => {
  it("a body is the same however often it is read, and as long as it says, whatever its size", async () => {
    for (const size of [0, 1, 47, 48 * 1024, 300_001]) {
      const bytes = Buffer.alloc(size, "recording ");
      const spool = new Spool();
      for (let at = 0; at < size; at += 1000) await spool.append(bytes.subarray(at, at + 1000));
      const upload = new Upload(
        spool,
        { from: 0, length: size },
        { name: "a", bytes: size, sha256: "0".repeat(64) },
      );
      const read = ({ length, ...body }: { length: number } & Iterable<Uint8Array>) => {
        const whole = Buffer.concat([...{ [Symbol.iterator]: body[Symbol.iterator] }]);
        expect(whole.length).toBe(length);
        return whole;
      };
      const json = upload.inJson(JSON.stringify({ data: FILE, more: 1 })) as never;
      expect(JSON.parse(read(json).toString())).toEqual({ data: bytes.toString("base64"), more: 1 });
      expect(read(json)).toEqual(read(json));
      const { body, type } = upload.form(
        { model: "m", list: ["a", "b"], file: FILE, more: { b: 1 } },
        {
          name: 'a"b.wav',
          mediaType: "audio/wav",
        },
      );
      const data = await new Response(new Uint8Array(read(body as never)), {
        headers: { "content-type": type },
      }).formData();
      expect(
        [...data].map(([name, value]) => [name, typeof value === "string" ? value : value.name]),
      ).toEqual([
        ["model", "m"],
        ["list[]", "a"],
        ["list[]", "b"],
        ["file", 'a"b.wav'],
        ["more[b]", "1"],
      ]);
      expect(Buffer.from(await (data.get("file") as File).arrayBuffer()).equals(bytes)).toBe(true);
      upload.release();
      expect(() => upload.source).toThrow("released");
    }
  });
});
