import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent } from "undici";
import { serve } from "./serve.ts";

/** The baseline: a proxy that only moves bytes, by undici's dispatcher. */
const [upstream] = process.argv.slice(2) as [string];
const { origin } = new URL(upstream);
const agent = new Agent({ pipelining: 1 });

function relay(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    agent.dispatch(
      {
        origin,
        path: req.url ?? "/",
        method: "POST",
        headers: { "content-type": "application/json" },
        body: Buffer.concat(chunks),
      },
      {
        onRequestStart() {},
        onResponseStart: (_, status, headers) =>
          void res.writeHead(status, { "content-type": String(headers["content-type"]) }),
        onResponseData(controller, chunk) {
          if (res.write(chunk)) return;
          controller.pause();
          res.once("drain", () => controller.resume());
        },
        onResponseEnd: () => void res.end(),
        onResponseError: () => void res.destroy(),
      },
    );
  });
}

serve(relay);
