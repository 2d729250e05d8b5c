import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProber, type Prober, probe } from "@manifold-gateway/media";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPool, type Pool } from "../../packages/media/src/prober/pool.ts";
import { cat, raw, repeated, zeros } from "./build/bytes.ts";
import { jpeg } from "./build/images.ts";
import { movie } from "./build/movies.ts";
import { samples } from "./samples.ts";

describe("a prober", () => {
  let prober: Prober;
  let folder: string;
  beforeEach(() => {
    prober = createProber({ workers: 2 });
    folder = mkdtempSync(join(tmpdir(), "media-"));
  });
  afterEach(async () => {
    await prober.close();
    rmSync(folder, { recursive: true });
  });

  test("a prober finds the same in a thread as outside it, from bytes, base64 and files", async () => {
    const found = await Promise.all(
      samples.flatMap(({ bytes }, index) => {
        const path = join(folder, String(index));
        writeFileSync(path, bytes);
        const part = new Uint8Array(bytes.length + 10).subarray(5, 5 + bytes.length);
        part.set(bytes);
        const base64 = Buffer.from(bytes).toString("base64");
        return [bytes, part, { path }, { base64 }].map((source) => prober.probe(source));
      }),
    );
    expect(found).toEqual(samples.flatMap(({ bytes }) => Array.from({ length: 4 }, () => probe(bytes))));
  });

  test("a prober leaves the caller's bytes as they are", async () => {
    const bytes = movie();
    await prober.probe(bytes);
    expect(bytes).toEqual(movie());
  });

  test("a prober answers with a failure for a bad file, and with an error for a path that cannot be opened", async () => {
    await expect(prober.probe(zeros(100))).resolves.toMatchObject({ code: "unsupported_format" });
    await expect(prober.probe({ path: join(folder, "none") })).rejects.toThrow("ENOENT");
    await expect(prober.probe({ path: folder })).rejects.toThrow("not a regular file");
    await expect(prober.probe(movie())).resolves.toMatchObject({ kind: "video" });
  });

  test("a prober stops at its deadline, and continues with the next file", async () => {
    const hasty = createProber({ timeoutMs: 1, workers: 1 });
    const slow = cat(jpeg({ width: 700, height: 400 }).slice(0, -2), repeated(raw(0xff, 0), 2_000_000));
    // The first may take longer, because its thread has to start.
    await expect(hasty.probe(movie())).resolves.toMatchObject({ kind: "video" });
    await expect(hasty.probe(slow)).resolves.toMatchObject({ kind: "failure", code: "timeout" });
    await expect(hasty.probe(movie())).resolves.toMatchObject({ kind: "video" });
    await hasty.close();
  });

  test("a prober answers nothing after it is closed", async () => {
    const asked = prober.probe(movie());
    const refused = expect(asked).rejects.toThrow("closed");
    await prober.close();
    await refused;
    await expect(prober.probe(movie())).rejects.toThrow("closed");
  });
});

interface Reply {
  task: string;
  threadId: number;
}

describe("a pool of threads", () => {
  const script = new URL("./stubborn.ts", import.meta.url);
  let pool: Pool<unknown, Reply>;
  const open = (timeoutMs: number, workers = 1): void => {
    pool = createPool(script, { timeoutMs, heapMb: 16, workers });
  };
  afterEach(() => pool.close());

  const answered = (task: string) => ({ type: "answer", answer: { task, threadId: expect.any(Number) } });

  test("a pool ends a thread that does not answer, and starts another", async () => {
    open(100);
    const first = (await pool.run("hello")) as { answer: Reply };
    expect(await pool.run("spin")).toEqual({ type: "timeout" });
    const next = (await pool.run("hello")) as { answer: Reply };
    expect(next.answer.threadId).not.toBe(first.answer.threadId);
  });

  test("a pool ends a thread that takes too much memory, and starts another", async () => {
    open(20_000);
    const first = (await pool.run("hello")) as { answer: Reply };
    expect(await pool.run("grow")).toEqual({ type: "memory" });
    const next = (await pool.run("hello")) as { answer: Reply };
    expect(next.answer.threadId).not.toBe(first.answer.threadId);
  });

  test("a pool reports what a thread throws, and that one has gone", async () => {
    open(20_000);
    await expect(pool.run("throw")).rejects.toThrow("no such task");
    await expect(pool.run("leave")).rejects.toThrow("without an answer");
    await expect(pool.run(() => {})).rejects.toThrow("could not be cloned");
    expect(await pool.run("hello")).toEqual(answered("hello"));
  });

  test("a pool keeps its threads, and no more than its limit", async () => {
    open(20_000, 2);
    const tasks = Array.from({ length: 20 }, (_, index) => `task ${index}`);
    const replies = await Promise.all(tasks.map((task) => pool.run(task)));
    expect(replies).toEqual(tasks.map(answered));
    const threads = replies.map((reply) => (reply as { answer: Reply }).answer.threadId);
    expect(new Set(threads).size).toBeLessThanOrEqual(2);
  });

  test("a pool rejects what waits when it is closed", async () => {
    open(20_000);
    const tasks = ["spin", "hello", "hello"].map((task) => pool.run(task));
    const refused = Promise.all(tasks.map((task) => expect(task).rejects.toThrow("closed")));
    await pool.close();
    await refused;
  });
});
