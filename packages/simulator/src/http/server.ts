import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { readForm } from "../check/form.ts";
import { chatstyle } from "../protocols/chatstyle/index.ts";
import { Refusal } from "../refusal.ts";
import { type Outgoing, respond, type State } from "./exchange.ts";
import { responseOutlet, socketOutlet } from "./outlet.ts";
import { findRoute } from "./routes.ts";
import { sendAnswer } from "./send-answer.ts";

const MAX_BODY = 64 * 1024 * 1024;

/** Reads a body; undefined if it is too long. */
async function readBody(body: AsyncIterable<Uint8Array> | null): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BODY) return undefined;
    parts.push(part);
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

/** A request, from a socket or from `fetch`. */
interface RawRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | null;
}

async function outgoing(state: State, { method, url, headers, body }: RawRequest): Promise<Outgoing> {
  const bytes = await readBody(body);
  const found = findRoute(method, url, headers);
  const protocol = found?.route.protocol ?? chatstyle;
  if (found && bytes !== undefined) {
    const type = headers["content-type"] ?? "";
    const form = type.startsWith("multipart/form-data") ? await readForm(bytes, type) : undefined;
    return respond(state, { ...found, url, headers, raw: bytes.toString(), bytes, form });
  }
  const refusal = found
    ? new Refusal("tooLarge", `The request body is larger than ${MAX_BODY} bytes.`)
    : new Refusal("missing", `Unknown request URL: ${method} ${url.pathname}.`, { code: "unknown_url" });
  const refused = protocol.refuse(refusal, "");
  return {
    protocol,
    status: refused.status,
    headers: refused.headers,
    fault: {},
    answer: { body: refused.body },
  };
}

/** An invalid host header is replaced. */
const urlOf = ({ url = "/", headers: { host = "localhost" } }: IncomingMessage): URL =>
  URL.parse(url, `http://${host}`) ?? new URL(url, "http://localhost");

async function handle(state: State, req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    res.socket?.setNoDelay(true);
    const incoming = {
      method: req.method ?? "GET",
      url: urlOf(req),
      headers: headersOf(req),
      body: req,
    };
    await sendAnswer(socketOutlet(res), await outgoing(state, incoming));
  } catch {
    // The client has left, or a fault dropped the connection: there is nothing to answer.
    res.destroy();
  }
}

export function createHttpServer(state: State): Server {
  return createServer((req, res) => void handle(state, req, res));
}

/** Answers without a socket. Rejects as `fetch` does where a fault drops the connection. */
export function answer(state: State, request: Request): Promise<Response> {
  const to = responseOutlet(request);
  const { method, headers, body } = request;
  const incoming = { method, url: new URL(request.url), headers: Object.fromEntries(headers), body };
  outgoing(state, incoming)
    .then((reply) => sendAnswer(to, reply))
    .catch(() => to.cut());
  return to.response;
}
