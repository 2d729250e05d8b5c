/** The base of paths that a page or a test gives without a host. */
const HERE = "http://localhost";

/** The request that the arguments of a `fetch` describe. */
export function toRequest(input: string | URL | Request, init?: RequestInit): Request {
  if (input instanceof Request) return init ? new Request(input, init) : input;
  const base = globalThis.location?.href ?? HERE;
  // A body that is a stream needs `duplex`, which its types leave out.
  return new Request(new URL(input, base), { duplex: "half", ...init } as RequestInit);
}
