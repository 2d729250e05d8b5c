/** Where Node's own `fetch` finds the connections that all of a process's requests use. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/** The process's connections without the limit of 300 seconds that Node's `fetch` sets: the caller has limits of its own. */
const unlimited: Dispatcher = {
  dispatch(options, handler) {
    const { [DISPATCHER]: shared } = globalThis as unknown as Record<symbol, Dispatcher>;
    if (!shared) throw new Error("This runtime has no shared connections.");
    return shared.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  },
};

/** The runtime's `fetch`, as it is when it is called. Other runtimes than Node ignore the dispatcher. */
export const runtimeFetch = (request: Request): Promise<Response> =>
  globalThis.fetch(request, { dispatcher: unlimited } as RequestInit);
