import type { BatchedRequest, SimulatedBatch } from "../../batches/batches.ts";
import { Refusal } from "../../refusal.ts";
import { msgstyle } from "../msgstyle/index.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import type { Route } from "../route.ts";

/** Batches of messages, with one list of results. */

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const json = (body: () => unknown): AcceptedRequest => ({ text: "", answer: () => ({ body: body() }) });

function requestsIn(body: unknown): BatchedRequest[] {
  const { requests } = (body ?? {}) as { requests?: { custom_id?: unknown; params?: unknown }[] };
  if (!Array.isArray(requests) || requests.length === 0)
    throw new Refusal("invalid", "requests: a list of at least one request is required.", {
      field: "requests",
    });
  const names = new Set<unknown>();
  return requests.map(({ custom_id: name, params }) => {
    if (typeof name !== "string" || !NAME.test(name) || names.has(name))
      throw new Refusal("invalid", "requests: a custom_id is wrong or taken.", { field: "requests" });
    names.add(name);
    return { name, path: "/v1/messages", body: params };
  });
}

function shown({ id, state, answers, requests, created }: SimulatedBatch): unknown {
  const isOver = state !== "in_progress";
  const succeeded = answers.filter(({ status }) => status === 200).length;
  const rest = requests.length - answers.length;
  return {
    ...{ id, type: "message_batch", processing_status: isOver ? "ended" : "in_progress" },
    request_counts: {
      processing: isOver ? 0 : rest,
      ...{ succeeded, errored: answers.length - succeeded },
      canceled: state === "cancelled" ? rest : 0,
      expired: state === "expired" ? rest : 0,
    },
    created_at: new Date(created).toISOString(),
    results_url: isOver ? `https://elsewhere.test/v1/messages/batches/${id}/results` : null,
  };
}

function resultOf({ state, answers }: SimulatedBatch, at: number): unknown {
  const answered = answers[at];
  if (!answered) return { type: state === "cancelled" ? "canceled" : "expired" };
  const { status, body } = answered;
  if (status !== 200) return { type: "errored", error: body };
  const message = body as { usage: object };
  return { type: "succeeded", message: { ...message, usage: { ...message.usage, service_tier: "batch" } } };
}

function batchOf({ params, batches }: MediaCall): SimulatedBatch {
  const batch = batches.find(params.id ?? "");
  if (!batch) throw new Refusal("missing", "No such batch.");
  return batch;
}

function remove(call: MediaCall): AcceptedRequest {
  const batch = batchOf(call);
  if (batch.state === "in_progress") throw new Refusal("invalid", "A batch in progress cannot be removed.");
  return json(() => {
    batch.isRemoved = true;
    return { id: batch.id, type: "message_batch_deleted" };
  });
}

function results(call: MediaCall): AcceptedRequest {
  const batch = batchOf(call);
  const lines = batch.requests.map(
    ({ name }, at) => `${JSON.stringify({ custom_id: name, result: resultOf(batch, at) })}\n`,
  );
  return { text: "", answer: () => ({ type: "application/x-jsonl", bytes: Buffer.from(lines.join("")) }) };
}

const row = { protocol: msgstyle, operation: "batches" } as const;
const at = (rest: string): RegExp => new RegExp(`^/messages/batches/(?<id>\\w+)${rest}$`);

export const messageBatches: Route[] = [
  {
    ...{ ...row, method: "POST", path: /^\/messages\/batches$/ },
    media(call) {
      const requests = requestsIn(call.body);
      const { headers, now: created } = call;
      return json(() =>
        shown(call.batches.begin({ protocol: "msgstyle", requests, request: {}, created, headers })),
      );
    },
  },
  {
    ...row,
    method: "GET",
    path: at(""),
    media: (call) => json(() => shown(call.batches.read(batchOf(call), call.now))),
  },
  { ...row, method: "GET", path: at("/results"), media: results },
  { ...row, method: "DELETE", path: at(""), media: remove },
  {
    ...{ ...row, method: "POST", path: at("/cancel") },
    media: (call) =>
      json(() => {
        call.batches.cancel(batchOf(call));
        return shown(batchOf(call));
      }),
  },
];
