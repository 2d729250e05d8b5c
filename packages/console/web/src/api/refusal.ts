// What the page and its worker have in common of calls: the worker has no state of the page.

/** A field that the service refused: the names and indexes that lead to it, and what is wrong with it. */
export interface FieldFault {
  path: readonly (string | number)[];
  text: string;
}

/** What the service refused, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** The route that refused. */
  readonly path: string | undefined;
  /** Each thing that is wrong by itself. */
  readonly texts: readonly string[];
  /** The fields that it named; empty where it named none. */
  readonly fields: readonly FieldFault[];
  constructor(
    status: number,
    texts: string | readonly string[],
    code?: string,
    requestId?: string,
    path?: string,
    fields: readonly FieldFault[] = [],
  ) {
    const all = typeof texts === "string" ? [texts] : texts;
    super(all.join(" "));
    this.texts = all;
    this.fields = fields;
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.path = path;
  }
}

/** The headers of a call as the account's playground, by which the surfaces of models take the browser's session. */
export const AS_PLAYGROUND = { "content-type": "application/json", "x-console": "playground" };

const isDefect = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError;

/** What people read of an error. A defect of the console's has words of its own; the browser's log says where it is. */
export function wordsOf(error: unknown): string {
  if (!isDefect(error)) return (error as Error).message;
  console.error(error);
  return "The console failed here by a defect of its own. The browser’s log says more.";
}

/** What a status without words of the service means: with these, a proxy answers in its place. */
const unworded = (status: number): string =>
  [502, 503, 504].includes(status)
    ? `A proxy answered ${status}: behind it, the service is stopped, just starting, or too slow.`
    : `The service answered ${status}.`;

/** What a response other than a success says, in the service's own words where it has any. */
export async function readRefusal(response: Response, path: string): Promise<ApiError> {
  const answer = (await response.json().catch(() => undefined)) as
    | { errors?: string[]; fields?: FieldFault[]; code?: string; error?: { message?: string } }
    | undefined;
  // What a provider refused has the shape of its protocol.
  const text = answer?.errors ?? answer?.error?.message ?? unworded(response.status);
  const id = response.headers.get("x-request-id") ?? undefined;
  return new ApiError(response.status, text, answer?.code, id, path, answer?.fields);
}
