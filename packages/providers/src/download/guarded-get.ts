import type { Socket } from "node:net";
import { Agent, type buildConnector } from "undici";
import { UpstreamBody } from "../transport/upstream-body.ts";

/** Gets the head of an answer and its unread body. The signal ends both. */
export type GuardedGet = (
  url: URL,
  signal: AbortSignal,
) => Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: UpstreamBody }>;

/** Gets each file over its own connection. `idle`: the milliseconds until the headers, and between bytes. */
export function createGuardedGet(
  connector: buildConnector.connector,
  idle: number,
): { get: GuardedGet; destroy(): void } {
  let socket: Socket | null = null;
  const agent = new Agent({
    connect: (to, callback) =>
      connector(to, (...result) => {
        socket = result[1];
        callback(...result);
      }),
    allowH2: false,
    pipelining: 0,
    headersTimeout: idle,
    bodyTimeout: idle,
    maxHeaderSize: 16 * 1024,
  });
  const get: GuardedGet = (url, signal) =>
    new Promise((resolve, reject) => {
      let body: UpstreamBody | undefined;
      let endsByClose = false;
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: "GET",
          headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "manifold" },
        },
        {
          onRequestStart(controller) {
            if (signal.aborted) controller.abort(signal.reason);
            else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
          },
          onResponseStart(controller, status, headers) {
            // Skip interim responses (early hints): the final head follows.
            if (status < 200) return;
            endsByClose =
              headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
            body = new UpstreamBody(controller, headers["content-length"]);
            resolve({ status, headers, body });
          },
          onResponseData: (_, chunk) => void body?.push(chunk),
          onResponseEnd() {
            // For a body without a length, the parser mistakes a reset for the close that ends the body.
            if (endsByClose && socket?.errored) body?.fail(socket.errored);
            else body?.finish();
          },
          onResponseError(_, error) {
            if (body) body.broke(error);
            else reject(error);
          },
        },
      );
    });
  return { get, destroy: () => void agent.destroy().catch(() => {}) };
}
