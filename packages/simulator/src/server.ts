import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { readForm } from "./check/form.ts";
import { deliver } from "./deliver.ts";
import { type Outgoing, respond, type State } from "./exchange.ts";
import { chatstyle } from "./protocols/chatstyle/index.ts";
import { Refusal } from "./refusal.ts";
import { findRoute } from "./routes.ts";

const MAX_BODY = 64 * 1024 * 1024;

async function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req) {
    size += (part as Buffer).length;
    if (size > MAX_BODY) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

function headersOf(req: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

async function outgoing(state: State, req: IncomingMessage): Promise<Outgoing> {
  const url = new URL(req.url ?? "/", "http://simulator");
  const headers = headersOf(req);
  const bytes = await readBody(req);
  const found = findRoute(req.method ?? "GET", url, headers);
  const protocol = found?.route.protocol ?? chatstyle;
  if (found && bytes !== undefined) {
    const type = headers["content-type"] ?? "";
    const form = type.startsWith("multipart/form-data") ? await readForm(bytes, type) : undefined;
    return respond(state, { ...found, url, headers, raw: bytes.toString(), bytes, form });
  }
  const refusal = found
    ? new Refusal("tooLarge", `The request body is larger than ${MAX_BODY} bytes.`)
    : new Refusal("missing", `Unknown request URL: ${req.method} ${url.pathname}.`, { code: "unknown_url" });
  const { status, headers: own, body } = protocol.refuse(refusal, "");
  return { protocol, status, headers: own, fault: {}, answer: { body } };
}

async function handle(state: State, req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    res.socket?.setNoDelay(true);
    await deliver(res, await outgoing(state, req));
  } catch {
    // The client went away, or a fault made it look so: there is no client left to answer.
    res.destroy();
  }
}

export function createHttpServer(state: State): Server {
  return createServer((req, res) => void handle(state, req, res));
}
