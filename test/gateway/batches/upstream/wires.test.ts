import type { JsonObject } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filesWire } from "../../../../packages/gateway/src/batches/upstream/wires/files.ts";
import { messagesWire } from "../../../../packages/gateway/src/batches/upstream/wires/messages.ts";

const textOf = (body: readonly string[] = []): string => body.join("");
const requests = (wire: typeof filesWire) =>
  [1, 2].map((at) => wire.requestOf(String(at), `{"model":"m", "n":${at}.0}`, "/chat/completions"));

describe("batches of requests in a file", () => {
  it("are a form with the lines, and a batch that names it and us", async () => {
    const { body, type, path } = filesWire.upload!("our-id", requests(filesWire));
    const headers = { "content-type": type! };
    const form = await new Response(textOf(body), { headers }).formData();
    expect([path, form.get("purpose")]).toEqual(["/files", "batch"]);
    expect(await (form.get("file") as File).text()).toBe(`${requests(filesWire).join("\n")}\n`);
    expect(JSON.parse(requests(filesWire)[1]!)).toEqual({
      ...{ custom_id: "2", method: "POST", url: "/v1/chat/completions" },
      body: { model: "m", n: 2 },
    });
    const create = filesWire.create({ name: "our-id", path: "/responses", file: "f", requests: [] });
    expect(JSON.parse(textOf(create.body))).toEqual({
      ...{ input_file_id: "f", endpoint: "/v1/responses", completion_window: "24h" },
      metadata: { manifold_batch: "our-id" },
    });
    expect(filesWire.list!("a b").path).toBe("/batches?limit=100&after=a%20b");
  });

  it("are read with their state, our id, their files and their fault", () => {
    const batch = { id: "b", status: "in_progress", output_file_id: null, metadata: null, errors: null };
    const read = { id: "b", state: "in_progress", isOver: false, isComplete: false, results: [], files: [] };
    expect(filesWire.batchOf(batch)).toEqual(read);
    const errors = { object: "list", data: [{ code: "c", message: "why", line: 1 }] };
    const metadata = { manifold_batch: "our-id" };
    const ids = { input_file_id: "i", output_file_id: "o", error_file_id: "e/" };
    const failed = { ...batch, status: "failed", errors, metadata, ...ids };
    expect(filesWire.batchOf(failed)).toEqual({
      ...{ ...read, state: "failed", isOver: true, name: "our-id", fault: "c" },
      results: ["/files/o/content", "/files/e%2F/content"],
      files: ["i", "o", "e/"],
    });
    const wrong: JsonObject[] = [{}, { id: 1, status: "x" }, { id: "b" }];
    for (const value of wrong) expect(filesWire.batchOf(value)).toBeUndefined();
  });

  it("have files, which are listed with the name that they were uploaded by, and removed by their ids", () => {
    const { fileOf, list, nameOf } = filesWire.files!;
    expect(textOf(filesWire.upload!("our-id", []).body)).toContain(`filename="${nameOf("our-id")}"`);
    expect(list("a b")).toEqual({ method: "GET", path: "/files?limit=100&after=a%20b" });
    expect(filesWire.removals({ id: "b", files: ["f/1", "g"] })).toEqual([
      { method: "DELETE", path: "/files/f%2F1" },
      { method: "DELETE", path: "/files/g" },
    ]);
    expect(fileOf({ id: "f", filename: "n", created_at: 2, purpose: "batch" })).toEqual({
      ...{ id: "f", name: "n", createdAt: 2_000 },
    });
    const wrong: JsonObject[] = [{}, { id: "f", filename: "n" }, { id: 1, filename: "n", created_at: 2 }];
    for (const value of wrong) expect(fileOf(value)).toBeUndefined();
  });

  it("have results with an answer, or none where the request was not run", () => {
    const line =
      '{"id":"r","custom_id":"1","response":{"status_code":400,"body": {"error":{ } }},"error":null}';
    expect(filesWire.resultOf(line)).toEqual({ name: "1", answer: { status: 400, body: '{"error":{ } }' } });
    const error = { code: "batch_expired", message: "late" };
    expect(filesWire.resultOf(JSON.stringify({ custom_id: "2", response: null, error }))).toEqual({
      name: "2",
    });
  });
});

describe("batches of messages", () => {
  it("have the requests in the body, whose results are at a path of the batch", () => {
    const create = messagesWire.create({
      name: "n",
      path: "/messages",
      file: "",
      requests: requests(messagesWire),
    });
    expect(JSON.parse(textOf(create.body)).requests).toEqual([
      { custom_id: "1", params: { model: "m", n: 1 } },
      { custom_id: "2", params: { model: "m", n: 2 } },
    ]);
    const batch = { id: "msgbatch_1", processing_status: "canceling", results_url: null };
    const read = {
      id: "msgbatch_1",
      state: "canceling",
      isOver: false,
      isComplete: false,
      results: [],
      files: [],
    };
    expect(messagesWire.batchOf(batch)).toEqual(read);
    // The key goes to no other host, whatever the address of the results is.
    const ended = { ...batch, processing_status: "ended", results_url: "https://elsewhere.test/r" };
    expect(messagesWire.batchOf(ended)?.results).toEqual(["/messages/batches/msgbatch_1/results"]);
    expect(messagesWire.batchOf({ id: "b" })).toBeUndefined();
    expect(messagesWire.removals({ id: "b/1", files: [] })).toEqual([
      { method: "DELETE", path: "/messages/batches/b%2F1" },
    ]);
    expect(messagesWire.removals({ files: [] })).toEqual([]);
  });

  it("have results by the type", () => {
    const result = (value: object) =>
      messagesWire.resultOf(JSON.stringify({ custom_id: "1", result: value }));
    expect(result({ type: "succeeded", message: { a: 1 } })?.answer).toEqual({
      status: 200,
      body: '{"a":1}',
    });
    const errors = { invalid_request_error: 400, overloaded_error: 529, new_error: 500 };
    for (const [type, status] of Object.entries(errors)) {
      const error = { type: "error", error: { type, message: "why" } };
      expect(result({ type: "errored", error })?.answer).toEqual({ status, body: JSON.stringify(error) });
    }
    for (const type of ["canceled", "expired"]) expect(result({ type })).toEqual({ name: "1" });
  });
});

it("a body passes unchanged both ways, and no text is a result that is none", () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), (body, name) => {
      for (const wire of [filesWire, messagesWire]) {
        const request = JSON.parse(wire.requestOf(name, body, "/x"));
        const sent = "params" in request ? request.params : request.body;
        expect([request.custom_id, sent]).toEqual([name, JSON.parse(body)]);
        expect(wire.resultOf(name)).toBeUndefined();
      }
      const custom = `"custom_id":${JSON.stringify(name)}`;
      expect(filesWire.resultOf(`{${custom},"response":{"status_code":200,"body":${body}}}`)).toEqual({
        ...{ name, answer: { status: 200, body } },
      });
      expect(messagesWire.resultOf(`{${custom},"result":{"type":"succeeded","message":${body}}}`)).toEqual({
        ...{ name, answer: { status: 200, body } },
      });
    }),
    { numRuns: 200 },
  );
});
