import { isObject, type JsonObject, parseJson } from "@manifold-gateway/core/codec";
import {
  type Payload,
  type UpstreamRequest,
  type UpstreamResponse,
  upstreamHeaders,
} from "@manifold-gateway/providers";
import { logDenial } from "../../observe/observed-call.ts";
import type { BatchDeps } from "../deps.ts";
import type { UpstreamTarget } from "./terms.ts";
import type { WireCall } from "./wires/index.ts";

/** The size limit of a JSON answer, in bytes. */
const MOST = 4 * 1024 * 1024;

type Deps = Pick<BatchDeps, "transport" | "log" | "clock" | "limits">;

/** The answer to a call. */
export interface WireAnswer {
  status: number;
  /** The body; empty unless it is a JSON object. */
  value: JsonObject;
  /** The wait that the answer requests, in milliseconds. */
  wait: number | undefined;
}

/** The texts as one payload. Each text is encoded only when it is sent. */
function payloadOf(texts: readonly string[]): Payload {
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    length,
    *[Symbol.iterator]() {
      for (const text of texts) yield Buffer.from(text);
    },
  };
}

/** Makes a call; resolves to the open answer. Rejects with `UpstreamFault` if there is none. */
async function openCall(
  { transport, log }: Deps,
  { provider, protocol, credential, base }: UpstreamTarget,
  { method, path, type, body }: WireCall,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const headers = upstreamHeaders(provider, protocol, false, undefined, credential);
  if (type !== undefined) headers["content-type"] = type;
  if (!body) delete headers["content-type"];
  const { firstByte, idle } = provider.timeouts ?? {};
  const request: UpstreamRequest = {
    ...{ origin: provider.origin, path: base + path, method, headers },
    ...(body && { body: payloadOf(body) }),
    ...(firstByte !== undefined && { firstByte }),
    ...(idle !== undefined && { idle }),
    signal,
  };
  const response = await transport.send(request);
  logDenial(log, response.status, {
    provider: provider.id,
    ...(credential && { credential: credential.name }),
  });
  return response;
}

/** A limit of an exchange's time: an answer that drips is never silent, and would hold its batch for good. */
function limited({ clock }: Deps, ms: number): { signal: AbortSignal; forget(): void } {
  const ending = new AbortController();
  return { signal: ending.signal, forget: clock.after(ms, () => ending.abort()) };
}

/** Makes a call; resolves to the answer, read as JSON. Rejects with `UpstreamFault` if there is none. */
export async function callWire(deps: Deps, target: UpstreamTarget, call: WireCall): Promise<WireAnswer> {
  const { signal, forget } = limited(deps, deps.limits.upstream.call);
  try {
    return await readAnswer(await openCall(deps, target, call, signal));
  } finally {
    forget();
  }
}

async function readAnswer({ status, headers, body }: UpstreamResponse): Promise<WireAnswer> {
  const value = parseJson(Buffer.from(await body.bytes(MOST)).toString());
  const seconds = Number(headers["retry-after"]);
  return {
    status,
    value: isObject(value) ? (value as JsonObject) : {},
    wait: seconds > 0 ? seconds * 1_000 : undefined,
  };
}

/** A call that a provider refused. */
export class CallRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The provider refused a call about a batch with ${status}.`);
    this.status = status;
  }
}

/** The bytes of the file at a path. Throws `CallRefused` or `UpstreamFault` if there is none. */
export async function* fileOf(
  deps: Deps,
  target: UpstreamTarget,
  call: WireCall,
): AsyncGenerator<Uint8Array> {
  const { signal, forget } = limited(deps, deps.limits.upstream.results);
  try {
    const { status, body } = await openCall(deps, target, call, signal);
    try {
      if (status !== 200) throw new CallRefused(status);
      for (let piece = await body.next(); piece; piece = await body.next()) yield piece;
    } finally {
      body.cancel();
    }
  } finally {
    forget();
  }
}
