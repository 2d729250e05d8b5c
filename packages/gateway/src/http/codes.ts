/** The meaning of a refusal's code, which clients and operators rely on. */
interface CodeMeaning {
  /** The HTTP status, unless the refusal names another. */
  status: number;
  /** One or two sentences about what happened and what to do. docs/errors.md is generated from them. */
  meaning: string;
}

const entry = (status: number, meaning: string): CodeMeaning => ({ status, meaning });

/** Requests that fail before they reach a route. */
const transport = {
  route_not_found: entry(404, "No route has this method and path. `/docs` lists all routes."),
  method_not_allowed: entry(405, "The path has other methods; `allow` lists them."),
  invalid_path: entry(
    400,
    "The path has invalid percent-encoding or characters, or is not in its normalised form.",
  ),
  invalid_http: entry(
    400,
    "The bytes are not an HTTP request, or the request has no valid `host` header or several.",
  ),
  headers_too_large: entry(431, "The request line and headers exceed 16 KiB or 100 headers."),
  request_timeout: entry(
    408,
    "The request did not arrive in time. The connection is closed, and nothing was run.",
  ),
  expectation_failed: entry(417, "The only supported expectation is `100-continue`."),
  connect_not_served: entry(405, "`CONNECT` is refused: the service is not a proxy."),
  too_many_connections: entry(503, "The limit of open connections of the process is reached."),
  too_many_connections_from_address: entry(
    429,
    "The limit of open connections from this address is reached.",
  ),
  too_many_requests_from_address: entry(429, "The rate limit of this address is reached; see `retry-after`."),
  server_busy: entry(503, "The limit of request bodies in memory is reached. Retry after `retry-after`."),
  upgrade_required: entry(
    426,
    "The path needs a WebSocket handshake, or WebSockets are turned off. Use `POST`.",
  ),
  origin_not_allowed: entry(
    403,
    "A page of another site may not call unless `server.corsOrigins` lists its origin, nor open a WebSocket.",
  ),
  too_many_listeners: entry(429, "The limit of event listeners is reached, for one owner or in total."),
  too_many_sockets: entry(429, "The limit of open WebSockets of the API key is reached."),
  shutting_down: entry(503, "The process is stopping. Retry: another process will serve the request."),
} as const;

/** Errors in a body, a header or a parameter. */
const input = {
  body_too_large: entry(413, "The body exceeds the size limit of the route."),
  body_too_complex: entry(
    400,
    "The body is nested too deeply, has too many members or items, or arrives in too many short pieces.",
  ),
  incomplete_body: entry(400, "The body ended before it was complete."),
  body_consumed: entry(500, "Other middleware has read the body: mount the gateway before body parsers."),
  unsupported_encoding: entry(
    415,
    "The body has a content encoding that is not accepted: `gzip`, `deflate`, `br` and `zstd` are.",
  ),
  invalid_encoding: entry(400, "The body cannot be decoded by its content encoding."),
  unsupported_content_type: entry(415, "The content type is not accepted by the route."),
  invalid_json: entry(400, "The body is not a JSON object in UTF-8."),
  declaration_invalid: entry(
    400,
    "The declaration cannot be used; each error names a member, as for the configuration file.",
  ),
  invalid_form: entry(400, "The body is not a valid multipart form, or has fields that cannot be read."),
  ambiguous_member: entry(400, "A member occurs twice, or differs from a known one only by case."),
  invalid_request: entry(400, "A field is missing or has a value that is not accepted; the error names it."),
  invalid_header: entry(400, "A header has a value that is not accepted; the error names it."),
  invalid_idempotency_key: entry(400, "`Idempotency-Key` must be 1 to 255 printable ASCII characters."),
  idempotency_key_reused: entry(422, "The `Idempotency-Key` was used with another body."),
  idempotency_key_in_use: entry(409, "A request with this `Idempotency-Key` is still running."),
  idempotency_answer_not_kept: entry(
    409,
    "The request with this `Idempotency-Key` has ended, but its response was not stored.",
  ),
  unknown_event: entry(400, "A WebSocket message has a `type` that is not accepted."),
  response_in_progress: entry(409, "A WebSocket has one response at a time: wait for its last event."),
  previous_response_not_found: entry(
    400,
    "`previous_response_id` is not the last response of the WebSocket. Send the whole input.",
  ),
  explain_not_supported: entry(400, "The route does not support `x-explain`."),
} as const;

/** Credentials and permissions. */
const access = {
  invalid_api_key: entry(401, "The API key is missing, malformed, unknown, revoked or disabled."),
  api_key_expired: entry(401, "The API key has expired."),
  unauthorized: entry(401, "The credential for this route is missing or invalid."),
  surface_not_allowed: entry(403, "The API key is restricted to other surfaces."),
  session_required: entry(403, "The route needs a session; API keys are not accepted."),
  session_too_old: entry(403, "The route needs a session younger than 15 minutes: sign in again."),
  key_required: entry(403, "The route needs an API key; sessions are not accepted."),
  cross_site: entry(
    403,
    "A session cookie was sent with a request that is not the console's own. Send a token instead.",
  ),
  invitation_over: entry(
    401,
    "The link was used, or is older than ten minutes. A new start prints a new one.",
  ),
  no_sign_in: entry(404, "This service does not issue sessions."),
  wrong_credentials: entry(401, "Account or password is wrong."),
  too_many_tries: entry(429, "Too many failed sign-ins; retry after `retry-after`."),
  sessions_unavailable: entry(503, "The keys that verify sessions cannot be read at the moment."),
  key_limit_reached: entry(403, "The limit of API keys of the account is reached: revoke one first."),
  key_not_found: entry(404, "The account has no such API key."),
  key_not_kept: entry(404, "The API key was not stored in a form that can be revealed."),
  account_not_found: entry(404, "There is no such account."),
  entry_not_found: entry(404, "No model has an entry with this id."),
  declaration_not_found: entry(404, "There is no such declaration, or no such change of one."),
  provider_not_found: entry(404, "There is no provider with this id."),
  declaration_of_file: entry(
    409,
    "The configuration file names the member, so that it can be changed there only.",
  ),
  declaration_outdated: entry(
    409,
    "The declaration was changed meanwhile. Read it again; of a name, only the last change can be undone.",
  ),
  declaration_breaks: entry(
    409,
    "The change would break what callers use now; the errors say what. Send it with `confirm` to make it nonetheless.",
  ),
  account_exists: entry(409, "An account with this id exists already."),
  reference_taken: entry(
    409,
    "The reference was used for another account, kind or amount; a reference is credited only once.",
  ),
  login_taken: entry(409, "Another account has this login."),
  generation_not_found: entry(404, "The account has no such generation."),
  generation_archived: entry(
    404,
    "The records of the month of this id are archived; the operator can read them. A charge of theirs is not refunded any more: credit can be given instead.",
  ),
  refund_too_large: entry(400, "A refund cannot exceed what the generation was charged."),
} as const;

/** Limits on the spend and the running requests of an account or a key. */
const money = {
  insufficient_balance: entry(403, "The credit balance does not cover the request."),
  cost_too_large: entry(
    400,
    "The request could cost more than 1,000,000 USD. Request less output, or fewer or shorter media.",
  ),
  spend_limit_reached: entry(
    429,
    "A spend cap of the API key is reached; its window ends after `retry-after`.",
  ),
  too_many_counts: entry(429, "The rate limit of token counts of the API key is reached; see `retry-after`."),
  too_many_bytes: entry(429, "The limit of request bodies of the API key in memory is reached."),
  too_many_requests: entry(
    429,
    "The limit of requests per minute of the API key is reached; see `retry-after`.",
  ),
  too_many_tokens: entry(429, "The limit of tokens per minute of the API key is reached; see `retry-after`."),
  too_many_concurrent_requests: entry(429, "The limit of concurrent requests of the API key is reached."),
  too_many_streams: entry(429, "The limit of open streams of the API key is reached."),
  too_many_batches: entry(429, "The limit of running batches of the account is reached."),
  too_many_jobs: entry(429, "The limit of running media jobs of the account is reached."),
} as const;

/** Choice of the model and provider. */
const routing = {
  model_not_found: entry(400, "The service has no such model (404 if the path names it)."),
  model_inactive: entry(400, "The model is not active, or no active provider serves it for this operation."),
  model_not_capable: entry(400, "The model does not support the operation of this route."),
  model_not_routed: entry(400, "The route does not support any provider of the model."),
  model_unpriced: entry(400, "No price is configured for the model, so it cannot be called."),
  no_provider: entry(400, "The `provider` options of the request leave no provider that serves the model."),
  unpriced_member: entry(
    400,
    "A member requests something that the provider bills and that has no price here; the error names the setting.",
  ),
  foreign_id: entry(400, "The id belongs to another account."),
  unknown_id: entry(
    400,
    "The id was in no response to this account, and the provider's `unknownIds` is `refuse`.",
  ),
  guard_refused: entry(403, "A guard of the operator refused a text of the request or of the answer."),
  guard_unavailable: entry(503, "A guard of the operator gave no answer, and nothing passes without it."),
  losses: entry(400, "The request would lose something in translation, and `x-loss-policy` is `strict`."),
  unsupported_content: entry(400, "The model does not accept a part of the content."),
  thread_unsupported: entry(400, "The model stores no conversations: send the whole conversation."),
  provider_unavailable: entry(503, "The providers of the model are failing and are skipped for a while."),
} as const;

/** Limits of a model: the results of the capability check. */
const capability = {
  unknown_field: entry(400, "The model has no such field."),
  unsupported_parameter: entry(400, "The model does not support the parameter."),
  wrong_type: entry(400, "The parameter has a value of the wrong type."),
  value_not_allowed: entry(400, "The model does not accept this value of the parameter."),
  missing_companion: entry(400, "The parameter or input requires another one."),
  conflict: entry(400, "Two parameters or inputs exclude each other."),
  sum_too_large: entry(400, "Several parameters together exceed the model's limit."),
  unsupported_input: entry(400, "The model accepts no input of this kind."),
  unsupported_form: entry(400, "The model does not accept the input in this form (URL, base64, asset)."),
  unsupported_role: entry(400, "The model does not accept the input in this role."),
  unsupported_media_type: entry(400, "The model does not accept media of this type."),
  too_many_inputs: entry(400, "There are more inputs of a kind than the model accepts."),
  too_few_inputs: entry(400, "There are fewer inputs of a kind than the model needs."),
  input_too_large: entry(400, "An input exceeds the model's size limit."),
  input_duration: entry(400, "An input is shorter or longer than the model accepts."),
  input_shape: entry(400, "An input has a width, height or aspect ratio that the model does not accept."),
} as const;

/** Media: requests, jobs, files. */
const media = {
  media_not_served: entry(
    503,
    "This service stores no files and serves no images, videos, speech or batches.",
  ),
  unusable_input: entry(400, "A file cannot be fetched or used, or its URL is refused; the error names it."),
  inputs_not_stored: entry(503, "The inputs of the request cannot be stored at the moment."),
  not_found: entry(404, "The account has no such job, task, asset or batch."),
  video_not_ready: entry(409, "The video is not finished: poll its job until it is."),
  output_not_found: entry(404, "The job has no such output, or its file has expired."),
  generation_timeout: entry(502, "The job is not finished; it continues and can be read later."),
  content_policy_violation: entry(400, "The provider refused the content."),
  output_lost: entry(502, "The output has expired."),
  file_not_found: entry(404, "There is no such file."),
  unusable_file: entry(
    400,
    "The file is not of the kind that its purpose needs; the error says what is allowed.",
  ),
  file_limit_reached: entry(
    403,
    "The limit of bytes of all files of the account is reached: remove one first.",
  ),
  file_in_use: entry(409, "A running batch reads the file."),
  batch_running: entry(409, "The batch is running: cancel it, or wait for its end."),
  file_refused: entry(403, "The link is invalid or has expired, or the range is outside the file."),
  file_unavailable: entry(503, "The file cannot be read at the moment."),
} as const;

/** Faults of providers, of storage and of the service itself. */
const failures = {
  provider_failed: entry(502, "The provider failed, or its response could not be read. Retrying may help."),
  client_left: entry(
    499,
    "The client closed its connection before its large body was parsed, or the provider's `drain` ended its call. Only logs show it.",
  ),
  database_unavailable: entry(503, "The service cannot reach its database."),
  files_unavailable: entry(503, "The service cannot reach its files."),
  not_ready: entry(503, "The service is not ready for requests; the errors say why."),
  no_configuration: entry(404, "The service does not show its settings."),
  no_metrics: entry(404, "The service was started without metrics."),
  internal_error: entry(500, "A defect of the service. Its log has the details under the request's id."),
} as const;

/** All codes by area, in the order in which docs/errors.md lists them. */
export const codeAreas = {
  "The connection and the path": transport,
  "The body, headers and parameters": input,
  "Credentials and accounts": access,
  "Credit and limits": money,
  "Models and providers": routing,
  "Capabilities of a model": capability,
  "Media and files": media,
  Failures: failures,
} as const;

const meanings = {
  ...transport,
  ...input,
  ...access,
  ...money,
  ...routing,
  ...capability,
  ...media,
  ...failures,
};

/** A stable code for the reason of a refusal, for programs and logs. */
export type RefusalCode = keyof typeof meanings;

/** The default status of a code. */
export const statusOfCode = (code: RefusalCode): number => meanings[code].status;
