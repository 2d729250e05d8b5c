import { type BatchForm, faultIn, requestIdOf } from "./form.ts";

/** Lines with the parameters of a message. All answers are written to one file. */
export const messagesForm: BatchForm = {
  purpose: "message_results",
  body: "params",
  faultOf: () => undefined,
  isError: () => false,
  write(line, batch) {
    const head = `"custom_id":${JSON.stringify(line.customId ?? null)}`;
    return `{${head},"result":${resultOf(line, requestIdOf(batch, line.number))}}`;
  },
};

function resultOf(line: Parameters<BatchForm["write"]>[0], request: string): string {
  const { outcome, status, answer = "null" } = line;
  switch (outcome) {
    case "succeeded":
      return `{"type":"succeeded","message":${answer}}`;
    case "errored": {
      if (status !== undefined) return `{"type":"errored","error":${answer}}`;
      const { message } = faultIn(line);
      const error = { type: "error", error: { type: "invalid_request_error", message }, request_id: request };
      return JSON.stringify({ type: "errored", error });
    }
    case "cancelled":
      return '{"type":"canceled"}';
    case "expired":
      return '{"type":"expired"}';
  }
}
