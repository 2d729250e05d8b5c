import { memberText } from "@manifold-gateway/core";
import { isObject, parseBounded } from "@manifold-gateway/core/codec";
import { HOUR } from "../../../http/moments.ts";
import type { UpstreamWire } from "./wire.ts";

const PATH = "/messages/batches";
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/**
 * The status that a single request with this type of error would get. Errors of other types are faults of the provider.
 */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
};

function statusOf(error: unknown): number {
  const inner = isObject(error) ? (isObject(error.error) ? error.error : error) : {};
  return (typeof inner.type === "string" ? statuses[inner.type] : undefined) ?? 500;
}

/** Batches of messages: the requests are in the body, and the results at a path of the batch. */
export const messagesWire: UpstreamWire = {
  most: 10_000,
  duration: 24 * HOUR,
  requestOf: (name, body) => `{"custom_id":${JSON.stringify(name)},"params":${body}}`,
  create: ({ requests }) => ({
    ...{ method: "POST", path: PATH },
    body: ['{"requests":[', ...requests.map((request, at) => (at === 0 ? request : `,${request}`)), "]}"],
  }),
  read: (id) => ({ method: "GET", path: pathOf(id) }),
  cancel: (id) => ({ method: "POST", path: `${pathOf(id)}/cancel` }),
  removals: ({ id }) => (id === undefined ? [] : [{ method: "DELETE", path: pathOf(id) }]),
  batchOf({ id, processing_status: state }) {
    if (typeof id !== "string" || typeof state !== "string") return undefined;
    const isOver = state === "ended";
    const results = isOver ? [`${pathOf(id)}/results`] : [];
    return { id, state, isOver, isComplete: isOver, results, files: [] };
  },
  resultOf(text) {
    const line = parseBounded(text);
    if (!isObject(line) || typeof line.custom_id !== "string" || !isObject(line.result)) return undefined;
    const { custom_id: name, result } = line;
    const member = (of: string): string => memberText(memberText(text, "result") ?? "", of) ?? "";
    if (result.type === "succeeded") return { name, answer: { status: 200, body: member("message") } };
    if (result.type !== "errored") return { name };
    return { name, answer: { status: statusOf(result.error), body: member("error") } };
  },
};
