import { memberText } from "@manifold-gateway/core";
import { isObject, type JsonObject, parseBounded } from "@manifold-gateway/core/codec";
import { HOUR } from "../../../http/moments.ts";
import type { RemoteBatch, UpstreamWire } from "./wire.ts";

/** The member of a batch's metadata with our id. */
const NAME = "manifold_batch";
/** The states of a batch that no longer changes. */
const OVER: ReadonlySet<string> = new Set(["completed", "failed", "expired", "cancelled"]);

const pageOf = (path: string, after: string | undefined): string =>
  `${path}?limit=100${after === undefined ? "" : `&after=${encodeURIComponent(after)}`}`;
const fileName = (batch: string): string => `${batch}.jsonl`;
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function faultOf({ errors }: JsonObject): string | undefined {
  const data = isObject(errors) ? errors.data : undefined;
  const [first] = Array.isArray(data) ? data : [];
  return isObject(first) ? textOf(first.code)?.slice(0, 64) : undefined;
}

/** Batches of requests in a file, with their results in a file of answers and one of errors. */
export const filesWire: UpstreamWire = {
  most: 50_000,
  duration: 24 * HOUR,
  requestOf: (name, body, path) =>
    `{"custom_id":${JSON.stringify(name)},"method":"POST","url":${JSON.stringify(`/v1${path}`)},"body":${body}}`,
  upload(name, requests) {
    const edge = `--${name}`;
    const part = `content-disposition: form-data; name=`;
    const head = `${edge}\r\n${part}"purpose"\r\n\r\nbatch\r\n${edge}\r\n${part}"file"; filename="${fileName(name)}"\r\ncontent-type: application/jsonl\r\n\r\n`;
    return {
      ...{ method: "POST", path: "/files", type: `multipart/form-data; boundary=${name}` },
      body: [head, ...requests.map((request) => `${request}\n`), `\r\n${edge}--\r\n`],
    };
  },
  create({ name, path, file }) {
    const window = { endpoint: `/v1${path}`, completion_window: "24h" };
    const batch = { input_file_id: file, ...window, metadata: { [NAME]: name } };
    return { method: "POST", path: "/batches", body: [JSON.stringify(batch)] };
  },
  list: (after) => ({ method: "GET", path: pageOf("/batches", after) }),
  files: {
    nameOf: fileName,
    list: (after) => ({ method: "GET", path: pageOf("/files", after) }),
    fileOf({ id, filename: name, created_at: created }) {
      if (typeof id !== "string" || typeof name !== "string" || typeof created !== "number") return undefined;
      return { id, name, createdAt: created * 1_000 };
    },
  },
  read: (id) => ({ method: "GET", path: `/batches/${encodeURIComponent(id)}` }),
  cancel: (id) => ({ method: "POST", path: `/batches/${encodeURIComponent(id)}/cancel` }),
  removals: ({ files }) =>
    files.map((id) => ({ method: "DELETE", path: `/files/${encodeURIComponent(id)}` })),
  batchOf(value) {
    const [id, state] = [textOf(value.id), textOf(value.status)];
    if (id === undefined || state === undefined) return undefined;
    const [input, ...results] = [value.input_file_id, value.output_file_id, value.error_file_id].map(textOf);
    const { metadata } = value;
    const name = isObject(metadata) ? textOf(metadata[NAME]) : undefined;
    const fault = faultOf(value);
    const batch: RemoteBatch = {
      ...{ id, state, isOver: OVER.has(state), isComplete: state === "completed" },
      results: results.flatMap((file) => (file ? [`/files/${encodeURIComponent(file)}/content`] : [])),
      files: [input, ...results].flatMap((file) => file || []),
      ...(name !== undefined && { name }),
      ...(fault !== undefined && { fault }),
    };
    return batch;
  },
  resultOf(text) {
    const line = parseBounded(text);
    if (!isObject(line) || typeof line.custom_id !== "string") return undefined;
    const { custom_id: name, response } = line;
    if (!isObject(response) || typeof response.status_code !== "number") return { name };
    const body = memberText(memberText(text, "response") ?? "", "body");
    return { name, answer: { status: response.status_code, body: body ?? "" } };
  },
};
