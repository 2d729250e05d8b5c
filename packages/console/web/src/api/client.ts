import type { paths } from "./schema.d.ts";

type Method = "get" | "post" | "patch" | "delete";
type Operation<P extends keyof paths, M extends Method> = paths[P] extends { [name in M]: infer O }
  ? O
  : never;
type JsonOf<R> = R extends { content: { "application/json": infer A } } ? A : never;
/** What a route answers. */
export type Answer<P extends keyof paths, M extends Method = "get"> =
  Operation<P, M> extends { responses: infer R } ? JsonOf<R[keyof R]> : never;
type Parameters<O, In extends string> = O extends { parameters: { [name in In]?: infer Q } }
  ? { [K in keyof Q]: Q[K] | undefined }
  : Record<never, never>;
type BodyOf<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? B : undefined;

interface Call<O> {
  path?: Parameters<O, "path">;
  query?: Parameters<O, "query">;
  body?: BodyOf<O>;
  signal?: AbortSignal;
}

/** What the service refused, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** The route that refused. */
  readonly path: string | undefined;
  constructor(status: number, text: string, code?: string, requestId?: string, path?: string) {
    super(text);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.path = path;
  }
}

type Listener = (error: ApiError) => void;
let onRefused: Listener = () => {};
/** Calls `listener` with every refusal, so that a session that ended is noticed wherever it shows. */
export const listenToRefusals = (listener: Listener): void => {
  onRefused = listener;
};

/** The headers of a call as the account's playground, by which the surfaces of models take the browser's session. */
export const AS_PLAYGROUND = { "content-type": "application/json", "x-console": "playground" };

/** Calls a route of the service with the browser's session. Throws an `ApiError`. */
export async function call<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  { path: params = {} as never, query = {} as never, body, signal }: Call<Operation<P, M>> = {},
): Promise<Answer<P, M>> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query as Record<string, unknown>).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    ),
  ).toString();
  const response = await fetch(search ? `${filled}?${search}` : filled, {
    method: method.toUpperCase(),
    credentials: "same-origin",
    headers: { "x-console": "1", ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The service cannot be reached. Check the connection and try again.");
  });
  if (!response.ok) throw await refusalOf(response, path);
  return (await response.json().catch(() => undefined)) as Answer<P, M>;
}

/** What a response other than a success says, in the service's own words where it has any. */
export async function refusalOf(response: Response, path: string): Promise<ApiError> {
  const answer = (await response.json().catch(() => undefined)) as
    | { errors?: string[]; code?: string; error?: { message?: string } }
    | undefined;
  // What a provider refused has the shape of its protocol.
  const text =
    answer?.errors?.join(" ") ?? answer?.error?.message ?? `The service answered ${response.status}.`;
  const id = response.headers.get("x-request-id") ?? undefined;
  const error = new ApiError(response.status, text, answer?.code, id, path);
  onRefused(error);
  return error;
}
