import { coded, flat, listed, typed } from "./shapes.ts";

/** Error bodies that say nothing of a model. */
export const others: readonly { what: string; status: number; body: unknown }[] = [
  {
    what: "a refused key",
    status: 401,
    body: flat("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
  },
  { what: "a missing permission", status: 403, body: typed("`temperature` is deprecated for this model.") },
  {
    what: "an unknown model",
    status: 404,
    body: flat("Unsupported parameter: 'stop' is not supported with this model."),
  },
  { what: "a timeout", status: 408, body: typed("`temperature` is deprecated for this model.") },
  {
    what: "a body that is too large",
    status: 413,
    body: typed("`temperature` is deprecated for this model."),
  },
  { what: "a rate limit", status: 429, body: typed("`temperature` is deprecated for this model.") },
  { what: "a failing server", status: 500, body: typed("`temperature` is deprecated for this model.") },
  { what: "a failing proxy", status: 502, body: { error: "System message must be at the beginning." } },
  { what: "an overload", status: 529, body: typed("Overloaded") },
  {
    what: "an invalid argument without a name",
    status: 400,
    body: coded("Request contains an invalid argument."),
  },
  {
    what: "a refused content",
    status: 400,
    body: flat("Your request was rejected by the safety system.", null, "content_policy_violation"),
  },
  {
    what: "a filtered content in words of a parameter",
    status: 400,
    body: flat("Unsupported parameter: 'stop' is not supported with this model.", "stop", "content_filter"),
  },
  {
    what: "a conversation that is too long",
    status: 400,
    body: flat(
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
      "messages",
      "context_length_exceeded",
    ),
  },
  { what: "missing credit", status: 400, body: typed("Your credit balance is too low to access the API.") },
  {
    what: "an unknown reason",
    status: 400,
    body: { error: { message: "invalid params, invalid chat setting (2013)" } },
  },
  {
    what: "an image that cannot be read",
    status: 400,
    body: typed("messages.0.content.0.image.source.base64.data: Could not process image"),
  },
  {
    what: "a refused limit without another spelling",
    status: 400,
    body: typed("max_output_tokens: Extra inputs are not permitted"),
  },
  {
    what: "a refused list of messages",
    status: 422,
    body: listed("extra_forbidden", ["body", "messages"], "Extra inputs are not permitted"),
  },
  {
    what: "a refused name of a model",
    status: 422,
    body: listed("extra_forbidden", ["body", "model"], "Extra inputs are not permitted"),
  },
  {
    what: "words of a request that look like a refusal",
    status: 400,
    body: flat("Invalid value for tool `Unsupported parameter: 'stop' is not supported with this model.`"),
  },
];
