import { type BatchedRequest, resultFilesOf, type SimulatedBatch } from "../../batches/batches.ts";
import type { Upload } from "../../check/form.ts";
import { Refusal } from "../../refusal.ts";
import { chatstyle } from "../chatstyle/index.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import type { Route } from "../route.ts";

/** Batches of requests in a file, with results in two files. */

const bad = (message: string, field?: string): Refusal =>
  new Refusal("invalid", message, { code: "invalid_request", ...(field !== undefined && { field }) });
const missing = (kind: string): Refusal => new Refusal("missing", `No such ${kind}.`, { code: "not_found" });

const json = (body: () => unknown): AcceptedRequest => ({ text: "", answer: () => ({ body: body() }) });

function upload({ body, batches, now }: MediaCall): AcceptedRequest {
  const { purpose, file } = (body ?? {}) as { purpose?: unknown; file?: Upload[] };
  if (purpose !== "batch" || !Array.isArray(file) || file.length !== 1)
    throw bad("A file with the purpose 'batch' is required.", "file");
  const [{ name, bytes }] = file as [Upload];
  return json(() => {
    const { id } = batches.keep({ text: bytes.toString(), name, created: now });
    const created_at = seconds(now);
    return { id, object: "file", bytes: bytes.length, created_at, filename: name, purpose };
  });
}

/** The requests of a file. Each names the path of the batch, and all of them one model. */
function requestsIn(text: string, endpoint: unknown): BatchedRequest[] {
  const seen = new Set<string>();
  const lines = text.split("\n").filter((line) => line !== "");
  const requests = lines.map((line): BatchedRequest => {
    const { custom_id: name, method, url, body } = JSON.parse(line);
    if (typeof name !== "string" || seen.has(name)) throw bad("The custom_id of a line is missing or taken.");
    if (method !== "POST" || url !== endpoint)
      throw bad("The url of a line is not the batch's endpoint.", "url");
    seen.add(name);
    return { name, path: url, body };
  });
  const models = new Set(requests.map(({ body }) => (body as { model?: unknown }).model));
  if (requests.length === 0 || models.size > 1) throw bad("A file is for requests to one model.");
  return requests;
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

function shown(batch: SimulatedBatch): unknown {
  const { id, state, created, request, answers, requests } = batch;
  const failed = answers.filter(({ status }) => status !== 200).length;
  const { output = null, errors = null } = resultFilesOf(batch);
  return {
    ...{ id, object: "batch", status: state, created_at: seconds(created) },
    ...{ endpoint: request.endpoint, input_file_id: request.input_file_id, completion_window: "24h" },
    errors:
      state === "failed"
        ? { object: "list", data: [{ code: "model_not_found", message: "The model has no batches." }] }
        : null,
    output_file_id: output,
    error_file_id: errors,
    metadata: request.metadata ?? null,
    request_counts: { total: requests.length, completed: answers.length - failed, failed },
  };
}

function create(call: MediaCall): AcceptedRequest {
  const request = (call.body ?? {}) as Record<string, unknown>;
  const { input_file_id: input, endpoint, completion_window: window } = request;
  const file = call.batches.file(String(input));
  if (!file) throw missing("file");
  if (window !== "24h") throw bad("The completion_window is '24h'.", "completion_window");
  const requests = requestsIn(file.text, endpoint);
  const { headers, now: created } = call;
  return json(() =>
    shown(call.batches.begin({ protocol: "chatstyle", requests, request, created, headers })),
  );
}

function batchOf({ params, batches }: MediaCall): SimulatedBatch {
  const batch = batches.find(params.id ?? "");
  if (!batch) throw missing("batch");
  return batch;
}

/** A line of a file of results. */
function lineOf(
  name: string,
  answered: SimulatedBatch["answers"][number] | undefined,
  state: string,
): string {
  const head = { id: `batch_req_${name}`, custom_id: name };
  if (answered) {
    const { status: status_code, body } = answered;
    return JSON.stringify({ ...head, response: { status_code, request_id: name, body }, error: null });
  }
  const code = state === "expired" ? "batch_expired" : "batch_cancelled";
  return JSON.stringify({ ...head, response: null, error: { code, message: "It was not run." } });
}

function results({ params, batches }: MediaCall): AcceptedRequest {
  const [, id = "", kind] = /^(batch_\w+)-(output|errors)$/.exec(params.file ?? "") ?? [];
  const batch = batches.find(id);
  if (!batch || !batches.files.some((file) => file.id === params.file)) throw missing("file");
  const { requests, answers, state } = batch;
  const lines = requests.flatMap(({ name }, at) => {
    const isOutput = answers[at]?.status === 200;
    return isOutput === (kind === "output") ? [`${lineOf(name, answers[at], state)}\n`] : [];
  });
  return {
    text: "",
    answer: () => ({ type: "application/jsonl", bytes: Buffer.from(lines.join("")) }),
  };
}

/** A page of a list, newest first. */
function pageOf<Item extends { id: string }>(
  { searchParams }: URL,
  newest: readonly Item[],
  shownAs: (item: Item) => unknown,
): AcceptedRequest {
  const after = searchParams.get("after");
  const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
  const limit = Number(searchParams.get("limit") ?? 20);
  const data = newest.slice(from, from + limit).map(shownAs);
  return json(() => ({ object: "list", data, has_more: newest.length > from + limit }));
}

const list = ({ url, batches }: MediaCall): AcceptedRequest =>
  pageOf(
    url,
    [...batches.all].reverse().filter(({ protocol }) => protocol === "chatstyle"),
    shown,
  );

const listFiles = ({ url, batches }: MediaCall): AcceptedRequest =>
  pageOf(url, batches.files, ({ id, name: filename, created }) => ({
    ...{ id, object: "file", filename, created_at: seconds(created) },
  }));

function removeFile({ params, batches }: MediaCall): AcceptedRequest {
  const { id = "" } = params;
  if (!batches.files.some((file) => file.id === id)) throw missing("file");
  return json(() => ({ id, object: "file", deleted: batches.remove(id) }));
}

const row = { protocol: chatstyle, operation: "batches" } as const;

export const fileBatches: Route[] = [
  { ...row, method: "POST", path: /^\/files$/, media: upload },
  { ...row, method: "GET", path: /^\/files$/, media: listFiles },
  { ...row, method: "DELETE", path: /^\/files\/(?<id>[\w-]+)$/, media: removeFile },
  { ...row, method: "GET", path: /^\/files\/(?<file>batch_\w+-(output|errors))\/content$/, media: results },
  { ...row, method: "POST", path: /^\/batches$/, media: create },
  { ...row, method: "GET", path: /^\/batches$/, media: list },
  {
    ...{ ...row, method: "GET", path: /^\/batches\/(?<id>\w+)$/ },
    media: (call) => json(() => shown(call.batches.read(batchOf(call), call.now))),
  },
  {
    ...{ ...row, method: "POST", path: /^\/batches\/(?<id>\w+)\/cancel$/ },
    media: (call) =>
      json(() => {
        call.batches.cancel(batchOf(call));
        return shown(batchOf(call));
      }),
  },
];
