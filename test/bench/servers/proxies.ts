import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { Agent } from "undici";
import { serve } from "./serve.ts";

/** The baselines: a proxy that does nothing but move bytes, piped over `node:http` or dispatched by undici. */
const [kind, upstream] = process.argv.slice(2) as ["piped" | "dispatch", string];
const origin = new URL(upstream);

const pool = new HttpAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
function piped(req: IncomingMessage, res: ServerResponse): void {
  const call = httpRequest(
    {
      host: origin.hostname,
      port: origin.port,
      path: req.url,
      method: req.method,
      headers: req.headers,
      agent: pool,
    },
    (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    },
  );
  call.on("error", () => res.destroy());
  req.pipe(call);
}

const agent = new Agent({ pipelining: 1 });
function dispatch(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    agent.dispatch(
      {
        origin: origin.origin,
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

serve(kind === "piped" ? piped : dispatch);
