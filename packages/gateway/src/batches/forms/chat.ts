import { quote } from "../../http/refusal.ts";
import { type BatchForm, faultIn, requestIdOf } from "./form.ts";

const dropped = {
  cancelled: { code: "batch_cancelled", message: "The batch was cancelled before this request was run." },
  expired: {
    code: "batch_expired",
    message: "This request could not be run before the batch expired.",
  },
} as const;

/** Lines with a method, a path and a body. Failed lines are written to a file of their own. */
export const chatForm: BatchForm = {
  purpose: "batch_output",
  body: "body",
  faultOf({ method, url }, { endpoint }) {
    if (method !== undefined && method !== "POST")
      return { code: "invalid_method", message: `method: ${quote(method)} is not POST.`, param: "method" };
    if (url === endpoint) return undefined;
    const message = `url: ${url === undefined ? "is missing" : `${quote(url)} is not the batch's`}; it must be ${quote(endpoint)}.`;
    return { code: "invalid_url", message, param: "url" };
  },
  isError: ({ outcome }) => outcome !== "succeeded",
  write(line, batch) {
    const { number, customId, outcome, status, answer = "null" } = line;
    const head = `"id":${JSON.stringify(`batch_req_${batch.id.slice(6)}_${number}`)},"custom_id":${JSON.stringify(customId ?? null)}`;
    const requestId = JSON.stringify(requestIdOf(batch, number));
    if (status !== undefined)
      return `{${head},"response":{"status_code":${status},"request_id":${requestId},"body":${answer}},"error":null}`;
    const isDropped = outcome === "cancelled" || outcome === "expired";
    const error = isDropped ? dropped[outcome] : { ...faultIn(line), line: number };
    return `{${head},"response":null,"error":${JSON.stringify(error)}}`;
  },
};
