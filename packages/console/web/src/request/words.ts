/** What the records of requests call by a name of its own, in words. What has none here stays as it is. */
type Words = Readonly<Record<string, string>>;

export const inWords = (words: Words, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] as string) : name;

/** Why a provider gave no answer. */
export const FAULTS: Words = {
  connect: "it could not be reached",
  token: "the service got no token for it",
  timeout: "it did not answer in time",
  reset: "the connection broke",
  redirect: "it sent a redirect, which is not followed",
  encoding: "its answer could not be decoded",
  too_large: "its answer was too large",
  cancelled: "the request was cancelled",
  busy: "it had no room left",
  circuit_open: "its circuit had just opened",
  internal: "the gateway itself failed",
};

/** Why an entry was passed over. */
export const SKIPS: Words = {
  inactive: "it is not active",
  unknown_provider: "its provider is not configured",
  no_protocol: "it speaks no protocol that has this operation",
  not_routed: "this route does not work with its provider",
  not_chosen: "the request names other providers",
  ignored: "the request leaves its provider out",
  no_fallback: "the request allows no other entry",
  unpriced: "it has no price",
  unpriced_member: "something in the request has no price there",
  unknown_id: "an id in the request is not known there",
  too_expensive: "its price is above the request’s highest",
  circuit_open: "its circuit is open: it has failed too often",
  refused: "it does not take such a request",
  parameters: "it would lose parameters, which the request forbids",
  losses: "something would be lost, which the request forbids",
};

export const PROTOCOLS: Words = {
  chatstyle: "chat completions",
  responses: "responses",
  msgstyle: "messages",
  genstyle: "generate content",
  mediastyle: "media tasks",
  speechstyle: "speech",
  routerstyle: "router",
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
  "webSearches",
  "groundedRequests",
  "fileSearches",
  "codeSessions",
  "mapSearches",
]);
