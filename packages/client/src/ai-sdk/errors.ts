import { APICallError } from "@ai-sdk/provider";
import { type Json, parseObject, textOf, toObject } from "@manifold-gateway/core/codec";

/** The place of a call that is named in errors: a request has no address before its provider is chosen. */
export const urlOf = (model: string): string => `manifold:${model}`;

/** The error of an answer that is none, as the AI SDK's calls throw it. */
export async function toCallError(response: Response, model: string, values: unknown): Promise<APICallError> {
  const responseBody = await response.text();
  const error = toObject(parseObject(responseBody)?.error);
  return new APICallError({
    message: textOf(error.message) ?? `The request failed with status ${response.status}.`,
    url: urlOf(model),
    requestBodyValues: values,
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
    data: error,
    // Whatever may be tried again was tried again here.
    isRetryable: response.headers.get("x-should-retry") === "true",
  });
}

/** The error inside a stream. */
export function toStreamError(error: Json | undefined, model: string, values: unknown): APICallError {
  const { message, statusCode } = toObject(error);
  return new APICallError({
    message: textOf(message) ?? "The stream broke off.",
    url: urlOf(model),
    requestBodyValues: values,
    ...(typeof statusCode === "number" && { statusCode }),
    data: error,
    isRetryable: false,
  });
}
