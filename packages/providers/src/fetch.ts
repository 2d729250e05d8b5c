import ky, { type KyInstance } from "ky";
import { UpstreamFault } from "./fault.ts";
import type { Transport } from "./transport.ts";

const LIMIT = 32 * 1024 * 1024;

/**
 * An HTTP client for what is not on the byte path: model lists, token counts, administration. It shares the
 * transport's connections, follows no redirect and leaves retries and statuses to the caller.
 */
export function createClient(transport: Transport): KyInstance {
  return ky.create({
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
      const response = await transport.send({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method as "GET",
        headers: Object.fromEntries(request.headers),
        ...(body && { body }),
      });
      request.signal.addEventListener("abort", () => response.body.cancel());
      const bytes = await response.body.bytes(LIMIT);
      if (request.signal.aborted) throw new UpstreamFault("cancelled");
      const type = response.headers["content-type"];
      return new Response(bytes.length > 0 ? (bytes as Uint8Array<ArrayBuffer>) : null, {
        status: response.status,
        headers: typeof type === "string" ? { "content-type": type } : {},
      });
    },
    retry: 0,
    timeout: 30_000,
    throwHttpErrors: false,
  });
}
