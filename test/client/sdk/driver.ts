import type { ClientOptions, ProviderSettings } from "@manifold-gateway/client";

/** A `fetch`: all that an SDK is given. */
export type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A client: as the `fetch` that SDKs are given, and its options for what makes one itself. */
export interface Client {
  send: Send;
  options: ClientOptions<Record<string, ProviderSettings>, string>;
}

export interface Ask extends Client {
  model: string;
  stream: boolean;
  /** Whether the model is offered `WEATHER`. */
  tools?: boolean;
  /** Whether the answer has to match `PERSON`. */
  format?: boolean;
  /** Whether the model is told to reason. */
  reasons?: boolean;
  signal?: AbortSignal;
  /** Receives each piece of text of a stream as the SDK hands it over. */
  onText?(text: string): void;
}

export interface Call {
  id: string;
  name: string;
  args: unknown;
}

export interface Answer {
  text: string;
  calls: Call[];
  /** Tokens, as the SDK reports them; nothing where it hides them. */
  usage?: { input: number | undefined; output: number | undefined };
}

/** A conversation that keeps its turns as users of the SDK keep them. */
export interface Conversation {
  /** `image` is a PNG in base64. */
  say(text: string, image?: string): Promise<Answer>;
  /** Returns this text as the result of each call of the last answer. */
  result(calls: Call[], text: string): Promise<Answer>;
}

/** What an SDK threw: the name of its class, if it is one of the SDK's, and what the class says. */
export interface Thrown {
  kind: string | undefined;
  status: number | undefined;
  message: string;
}

/** What is shown of every SDK with a provider of every protocol. */
export const kinds = {
  text: "gets an answer and its usage",
  stream: "gets a stream in pieces and its usage",
  tools: "calls tools over three turns",
  "streamed tools": "calls tools over three streamed turns",
  format: "gets JSON of a schema",
  image: "shows an image",
  reasoning: "carries reasoning over three turns",
  "streamed reasoning": "carries reasoning over three streamed turns",
  refusal: "throws its own error for a request that is refused",
  outage: "throws its own error for a limit of rates",
  page: "throws its own error for a page of HTML, without the page",
  cut: "throws an error for a stream that is cut",
  abort: "ends the provider's work when it aborts",
  "streamed abort": "ends the provider's work when it aborts a stream",
};
export type Kind = keyof typeof kinds;

export type Lacks = Readonly<Partial<Record<Kind, string>>>;

/** One SDK behind the interface that all tests share. */
export interface Driver {
  name: string;
  /** The wire that it speaks. */
  wire: "chatstyle" | "responses" | "msgstyle" | "genstyle" | "none";
  open(ask: Ask): Conversation;
  thrown(error: unknown): Thrown;
  /** The class of the error that a cut stream is, where it is none of `thrown`. */
  cut?: string;
  /** What the SDK itself cannot do, and why. */
  lacks?: Lacks;
  /** What it cannot do with a server of its own wire that is strict, and why: there nothing is translated. */
  lacksAtHome?: Lacks;
  /** The vectors of two texts. */
  embed?(ask: Client & { model: string; texts: string[] }): Promise<(readonly number[])[]>;
  /** A picture in base64. */
  draw?(ask: Client & { model: string; prompt: string }): Promise<string | undefined>;
}

export const WEATHER = {
  name: "get_weather",
  description: "The weather of a city",
  parameters: {
    type: "object" as const,
    properties: { city: { type: "string" as const } },
    required: ["city"],
    additionalProperties: false as const,
  },
};

export const PERSON = {
  type: "object" as const,
  properties: { name: { type: "string" as const }, age: { type: "integer" as const } },
  required: ["name", "age"],
  additionalProperties: false as const,
};

/** A PNG of one pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Reads an error by the first of these classes that it is one of. */
export function thrownBy(
  error: unknown,
  kinds: readonly (abstract new (...args: never[]) => Error)[],
  status: (error: Error & Record<string, unknown>) => unknown,
): Thrown {
  if (!(error instanceof Error)) return { kind: undefined, status: undefined, message: String(error) };
  const known = kinds.some((kind) => error instanceof kind);
  const code = status(error as Error & Record<string, unknown>);
  return {
    kind: known ? error.constructor.name : undefined,
    status: typeof code === "number" ? code : undefined,
    message: error.message,
  };
}
