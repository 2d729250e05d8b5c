import { type OpenAI, toFile } from "openai";
import { describe, expect, it } from "vitest";
import { until } from "../../support/until.ts";
import { stage } from "./stage.ts";

/** Two lines at a time, so that a batch can be cancelled in the middle. */
const set = stage({ media: { batches: { lines: 2, retry: { initial: 5, max: 20 } } } });
const SLOW = "[[fault:delay=40]]";

const jsonl = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `line-${n}`);

/** The books are in order, and what was charged is what the provider counts. */
async function expectBooks() {
  expect(await set.h.store.money.audit()).toEqual([]);
  const { balance, held } = await set.h.balance();
  // A micro-USD a token of input, two a token of output.
  const due = set.h.simulator.ledger.entries.reduce(
    (sum, { usage }) => sum + (usage.input ?? 0) + 2 * (usage.output ?? 0),
    0,
  );
  return { held, isDue: balance === 1_000_000_000 - due, due };
}

describe("files and batches by the official SDK", () => {
  const ended = (id: string) =>
    until(
      () => set.chatstyle.batches.retrieve(id),
      ({ status }) => ["completed", "failed", "expired", "cancelled"].includes(status),
    );
  const lineOf = (name: string, content: string, more: object = {}) => ({
    custom_id: name,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "sim-chatstyle", max_tokens: 8, messages: [{ role: "user", content }], ...more },
  });
  const begin = async (lines: readonly unknown[]): Promise<OpenAI.Batch> => {
    const file = await set.chatstyle.files.create({
      file: await toFile(Buffer.from(jsonl(lines)), "lines.jsonl"),
      purpose: "batch",
    });
    expect(file).toMatchObject({ object: "file", filename: "lines.jsonl", bytes: jsonl(lines).length });
    return set.chatstyle.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { team: "search" },
    });
  };
  const linesIn = async (id: string | undefined) =>
    (await (await set.chatstyle.files.content(id!)).text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("a batch is run from its file, each line for itself, and its answers are read from files", async () => {
    const batch = await begin([
      lineOf("a", "Say hello."),
      lineOf("b", "Say hello.", { model: "no-such" }),
      lineOf("c", "[[fault:status=400]]"),
      { ...lineOf("d", "x"), url: "/v1/embeddings" },
      lineOf("e", "Say goodbye. [[fault:status=429,times=2]]"),
    ]);
    expect(batch).toMatchObject({
      object: "batch",
      metadata: { team: "search" },
      completion_window: "24h",
    });
    const done = await ended(batch.id);
    expect(done).toMatchObject({
      status: "completed",
      request_counts: { total: 5, completed: 2, failed: 3 },
    });
    const output = await linesIn(done.output_file_id);
    expect(output.map(({ custom_id }) => custom_id)).toEqual(["a", "e"]);
    expect(output[0].response).toMatchObject({ status_code: 200, body: { object: "chat.completion" } });
    const errors = await linesIn(done.error_file_id);
    expect(
      errors.map(({ custom_id, response, error }) => [custom_id, response?.status_code ?? error.code]),
    ).toEqual([
      ["b", 400],
      ["c", 400],
      ["d", "invalid_url"],
    ]);
    expect(await expectBooks()).toMatchObject({ held: 0, isDue: true });
  });

  it("a cancelled batch keeps the answers that it has; batches and files are listed, files removed", async () => {
    const all = names(40);
    const batch = await begin(all.map((name) => lineOf(name, `${name} ${SLOW}`)));
    await until(
      () => set.chatstyle.batches.retrieve(batch.id),
      ({ request_counts: counts }) => counts!.completed > 0,
    );
    expect((await set.chatstyle.batches.cancel(batch.id)).status).toMatch(/^cancell/);
    const done = await ended(batch.id);
    expect(done.status).toBe("cancelled");
    const output = await linesIn(done.output_file_id);
    const errors = await linesIn(done.error_file_id);
    expect([...output, ...errors].map(({ custom_id }) => custom_id)).toEqual(all);
    expect(new Set(errors.map(({ error }) => error.code))).toEqual(new Set(["batch_cancelled"]));
    expect(set.h.simulator.ledger.entries).toHaveLength(output.length);

    const listed: string[] = [];
    for await (const { id } of set.chatstyle.batches.list({ limit: 1 })) listed.push(id);
    expect(listed[0]).toBe(batch.id);
    expect(listed).toHaveLength(2);
    const files: string[] = [];
    for await (const { id } of set.chatstyle.files.list({ limit: 2, purpose: "batch_output" as "batch" }))
      files.push(id);
    expect(files).toContain(done.output_file_id);
    expect(await set.chatstyle.files.delete(done.output_file_id!)).toMatchObject({ deleted: true });
    await expect(set.chatstyle.files.content(done.output_file_id!)).rejects.toMatchObject({ status: 404 });
  });
});

describe("batches of messages by the official SDK", () => {
  const ended = (id: string) =>
    until(
      () => set.msgstyle.messages.batches.retrieve(id),
      ({ processing_status: status }) => status === "ended",
    );
  const requestOf = (name: string, content: string, model = "sim-msgstyle") => ({
    custom_id: name,
    params: { model, max_tokens: 8, messages: [{ role: "user" as const, content }] },
  });
  const resultsOf = async (id: string) => {
    const results = [];
    for await (const one of await set.msgstyle.messages.batches.results(id)) results.push(one);
    return results;
  };

  it("a batch is run, each request for itself, and its results are read", async () => {
    const { id, processing_status: status } = await set.msgstyle.messages.batches.create({
      requests: [
        requestOf("a", "Say hello."),
        requestOf("b", "x", "no-such"),
        requestOf("c", "[[fault:status=400]]"),
      ],
    });
    expect(status).toBe("in_progress");
    expect(await ended(id)).toMatchObject({
      request_counts: { processing: 0, succeeded: 1, errored: 2, canceled: 0, expired: 0 },
    });
    const [first, ...others] = await resultsOf(id);
    expect(first).toMatchObject({
      custom_id: "a",
      result: { type: "succeeded", message: { type: "message" } },
    });
    expect(others.map(({ custom_id, result }) => [custom_id, result.type])).toEqual([
      ["b", "errored"],
      ["c", "errored"],
    ]);
    expect(others[0]?.result).toMatchObject({
      error: { type: "error", error: { type: "invalid_request_error" } },
    });
    expect(await expectBooks()).toMatchObject({ held: 0 });
  });

  it("a cancelled batch keeps its results, is listed, and is removed", async () => {
    const all = names(40);
    const { id } = await set.msgstyle.messages.batches.create({
      requests: all.map((name) => requestOf(name, `${name} ${SLOW}`)),
    });
    await expect(set.msgstyle.messages.batches.delete(id)).rejects.toMatchObject({ status: 409 });
    await until(
      () => set.msgstyle.messages.batches.retrieve(id),
      ({ request_counts: counts }) => counts.succeeded > 0,
    );
    expect((await set.msgstyle.messages.batches.cancel(id)).processing_status).toBe("canceling");
    const { request_counts: counts } = await ended(id);
    const results = await resultsOf(id);
    expect(results.map(({ custom_id }) => custom_id)).toEqual(all);
    expect(results.filter(({ result }) => result.type === "succeeded")).toHaveLength(counts.succeeded);
    expect(set.h.simulator.ledger.entries).toHaveLength(counts.succeeded);
    const listed: string[] = [];
    for await (const one of set.msgstyle.messages.batches.list({ limit: 1 })) listed.push(one.id);
    expect(listed[0]).toBe(id);
    expect(await set.msgstyle.messages.batches.delete(id)).toEqual({ id, type: "message_batch_deleted" });
    await expect(set.msgstyle.messages.batches.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});
