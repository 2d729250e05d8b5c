/** What the records of requests call by a name of its own, in words. What has none here stays as it is. */
type Words = Readonly<Record<string, string>>;

export const inWords = (words: Words, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] as string) : name;

/** Why a provider gave no answer. */
export const FAULTS: Words = {
  connect: "could not be reached",
  token: "no access token was available",
  timeout: "timed out",
  reset: "the connection was lost",
  redirect: "answered with a redirect, which is not followed",
  encoding: "the response could not be decoded",
  too_large: "the response was too large",
  cancelled: "the request was cancelled",
  busy: "its concurrency limit was reached",
  circuit_open: "its circuit had just opened",
  internal: "internal error of the gateway",
  incomplete: "the answer broke off",
};

/** Why an entry was passed over. */
export const SKIPS: Words = {
  inactive: "inactive",
  unknown_provider: "its provider is not configured",
  no_protocol: "its provider does not support this operation",
  not_routed: "this endpoint does not support its provider",
  not_chosen: "the request selects other providers",
  ignored: "the request excludes its provider",
  no_fallback: "the request does not allow fallbacks",
  unpriced: "it has no price",
  unpriced_member: "part of the request has no price there",
  unknown_id: "an id in the request is not known there",
  too_expensive: "its price exceeds the maximum of the request",
  circuit_open: "its circuit is open after repeated failures",
  refused: "it does not support this request",
  parameters: "it does not support all parameters, which the request requires",
  losses: "translation would lose something, which the request forbids",
};

/** Why another model was asked. */
export const FALLBACKS: Words = {
  unavailable: "was not available",
  rate_limited: "was rate limited",
  filtered: "refused the request by a filter",
  context: "takes no request of this length",
  budget: "costs more than what is left",
};

/** What guards decide. */
export const DECISIONS: Words = {
  allowed: "allowed",
  masked: "masked",
  refused: "refused",
  unanswered: "gave no answer",
};

/** The languages of requests, as the playground names them. */
export const PROTOCOLS: Words = {
  chatstyle: "Chat",
  responses: "Responses",
  msgstyle: "Messages",
  genstyle: "Generate content",
  native: "Native",
  conversestyle: "Converse",
  mediastyle: "Media tasks",
  speechstyle: "Speech",
  ratiostyle: "Images by ratio",
  routerstyle: "Router",
};

/** What requests are distinguished by, as filters, splits and heads name it. */
export const FACETS: Words = {
  account: "Account",
  key: "Key",
  model: "Model",
  modality: "Kind",
  status: "Outcome",
  surface: "Surface",
  provider: "Provider",
  entry: "Route",
  tag: "Tag",
  user: "End user",
  code: "Error code",
};

/** What is counted and priced. */
export const UNITS: Words = {
  input: "Input tokens",
  cacheRead: "Input tokens from a cache",
  cacheWrite: "Input tokens written to a cache",
  cacheWriteLong: "Input tokens written to a cache for an hour",
  audioInput: "Input tokens of audio",
  imageInput: "Input tokens of images",
  output: "Output tokens",
  reasoning: "Reasoning tokens",
  audioOutput: "Output tokens of audio",
  imageOutput: "Output tokens of images",
  images: "Images",
  seconds: "Seconds",
  characters: "Characters",
  requests: "Requests",
  searchUnits: "Search units",
  webSearches: "Web searches",
  groundedRequests: "Grounded requests",
  fileSearches: "File searches",
  codeSessions: "Code sessions",
  mapSearches: "Map searches",
  promptTokens: "Input tokens",
  completionTokens: "Output tokens",
  outputTokens: "Output tokens",
  totalTokens: "Tokens in all",
  generatedImages: "Images",
};

/** Units that are priced one by one; the others are priced by the million. */
export const ONE_BY_ONE: ReadonlySet<string> = new Set([
  "images",
  "seconds",
  "requests",
  "searchUnits",
  "webSearches",
  "groundedRequests",
  "fileSearches",
  "codeSessions",
  "mapSearches",
]);
