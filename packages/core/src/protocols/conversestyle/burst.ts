import { isObject, type Json, toArray, toObject } from "../../json/json.ts";
import { isFailure } from "./failure.ts";

/** A unary body as chunks: each block whole in its start. A body without output is an error, or not a reply. */
export function burst(body: Json): Json[] {
  if (!isObject(body) || isFailure(body)) return [body];
  const { output, stopReason, additionalModelResponseFields: fields, ...metadata } = body;
  if (!isObject(output)) return [];
  const { content, ...message } = toObject(output.message);
  return [
    { messageStart: message },
    ...toArray(content).flatMap((block, contentBlockIndex): Json[] => [
      { contentBlockStart: { start: block, contentBlockIndex } },
      { contentBlockStop: { contentBlockIndex } },
    ]),
    {
      messageStop: {
        ...(stopReason !== undefined && { stopReason }),
        ...(fields !== undefined && { additionalModelResponseFields: fields }),
      },
    },
    { metadata },
  ];
}
