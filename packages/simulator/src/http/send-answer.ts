import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { NO_USAGE } from "../content/tokens.ts";
import type { Chunk, Framing } from "../protocols/protocol.ts";
import { faultRefusal } from "../script/fault-schedule.ts";
import type { Fault } from "../script/faults.ts";
import { binaryFrame } from "./binary-frames.ts";
import type { Outgoing } from "./exchange.ts";

/** Where an answer goes: a socket, or the reader of a `Response`. */
export interface Outlet {
  /** Aborted when the reader has left, which ends all waiting. */
  readonly disconnected: AbortSignal;
  /** Calls back at the end. The argument is true if the whole answer was taken. */
  onClose(listener: (isWhole: boolean) => void): void;
  /** True if compressed bytes are decompressed before they are written, as by `fetch`. */
  readonly unpacks: boolean;
  head(status: number, headers: Record<string, string | number>): void;
  /** Resolves when there is room for more. Rejects when the reader has left. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  end(bytes?: Uint8Array): void;
  /** Drops the connection after what was written, or resets it where nothing was. */
  cut(): Promise<void> | void;
}

interface Piece {
  data: string | Buffer;
  part?: Chunk["part"];
}

const HTML =
  "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n";

/** Applies the faults of streams: no closing event, a malformed event, or an error in the middle. */
function applyStreamFaults({ protocol, entry }: Outgoing, chunks: Chunk[], fault: Fault): Chunk[] {
  let altered = fault["no-done"] ? chunks.filter((chunk) => chunk.part !== "done") : chunks;
  if (fault.malformed) {
    const at = altered.findIndex((chunk) => chunk.part === "content") + 1;
    const broken = { event: altered[at - 1]?.event, data: '{"broken":' };
    altered = [...altered.slice(0, at), broken, ...altered.slice(at)];
  }
  const after = fault["error-after"];
  if (after === undefined) return altered;
  const contents = altered.flatMap((chunk, index) => (chunk.part === "content" ? [index] : []));
  const end = contents[after] ?? altered.length - 1;
  if (entry) Object.assign(entry, { delivered: "failed", usage: NO_USAGE });
  return [...altered.slice(0, end), protocol.streamError(faultRefusal(fault), end)];
}

const json = (data: unknown): string => (typeof data === "string" ? data : JSON.stringify(data));

function* framed(chunks: Chunk[], framing: Framing): Generator<Piece> {
  for (const [index, { event, data, part }] of chunks.entries()) {
    if (framing === "events")
      yield { data: `${event ? `event: ${event}\n` : ""}data: ${json(data)}\n\n`, part };
    else if (framing === "frames") yield { data: binaryFrame(event ?? "", json(data)), part };
    else if (framing === "lines") yield { data: `${json(data)}\n`, part };
    else yield { data: `${index === 0 ? "[" : ",\n"}${json(data)}`, part };
  }
  if (framing === "array") yield { data: chunks.length > 0 ? "]" : "[]" };
}

function piecesOf(outgoing: Outgoing): Piece[] {
  const { answer, fault } = outgoing;
  if (fault.empty) return [];
  if ("chunks" in answer)
    return [...framed(applyStreamFaults(outgoing, answer.chunks, fault), answer.framing)];
  const data = "bytes" in answer ? answer.bytes : Buffer.from(JSON.stringify(answer.body) ?? "");
  return [{ data: fault.malformed ? data.subarray(0, Math.ceil(data.length / 2)) : data, part: "content" }];
}

const TYPE: Record<Framing, string> = {
  events: "text/event-stream; charset=utf-8",
  array: "application/json",
  lines: "application/json",
  frames: "application/vnd.amazon.eventstream",
};

function typeOf(answer: Outgoing["answer"]): string {
  if ("chunks" in answer) return TYPE[answer.framing];
  return "bytes" in answer ? answer.type : "application/json";
}

/** Splits bytes inside the first character of several bytes, because readers have to handle that. */
function cutInCharacter(bytes: Buffer): Buffer[] {
  const at = bytes.findIndex((byte) => (byte & 0xc0) === 0x80);
  return at < 0 ? [bytes] : [bytes.subarray(0, at), bytes.subarray(at)];
}

/** Sends an answer with its faults. Resolves when all of it is written or the client has left. */
export async function sendAnswer(to: Outlet, outgoing: Outgoing): Promise<void> {
  const { fault, entry, answer } = outgoing;
  const settled = entry?.delivered === "failed";
  to.onClose((isWhole) => {
    if (entry?.delivered === "complete" && !isWhole) entry.delivered = "cut";
  });
  const pause = (ms: number | undefined) =>
    ms ? wait(ms, undefined, { signal: to.disconnected }) : undefined;

  await pause(fault.delay);
  if (fault.reset) return to.cut();
  if (fault.redirect !== undefined || fault.html) {
    const redirected = fault.redirect !== undefined;
    const status = redirected ? 307 : (fault.status ?? 502);
    if (entry) Object.assign(entry, { status, delivered: "failed", usage: NO_USAGE });
    const headers: Record<string, string> = redirected
      ? { location: fault.redirect || "/redirected" }
      : { "content-type": "text/html" };
    to.head(status, headers);
    return to.end(redirected ? undefined : Buffer.from(HTML));
  }

  const pieces = piecesOf(outgoing);
  const streams = "chunks" in answer;
  const headers: Record<string, string> = { "content-type": typeOf(answer), ...outgoing.headers };
  if (fault.gzip && !to.unpacks) {
    const bytes = gzipSync(Buffer.concat(pieces.map(({ data }) => Buffer.from(data))));
    to.head(outgoing.status, { ...headers, "content-encoding": "gzip", "content-length": bytes.length });
    if (entry && !settled) entry.delivered = "complete";
    return to.end(bytes);
  }
  if (!streams) headers["content-length"] = String(Buffer.byteLength(pieces[0]?.data ?? ""));
  to.head(outgoing.status, headers);
  if (!streams) await pause(fault.stall);

  let sent = 0;
  let stalls = streams ? fault.stall : undefined;
  for (const [index, { data, part }] of pieces.entries()) {
    const bytes = Buffer.from(data);
    if (fault.cut !== undefined && sent + bytes.length > fault.cut) {
      await to.write(bytes.subarray(0, fault.cut - sent));
      return to.cut();
    }
    sent += bytes.length;
    const last = index === pieces.length - 1;
    if (last && entry && entry.delivered === "cut") entry.delivered = "complete";
    for (const half of streams ? cutInCharacter(bytes) : [bytes]) await to.write(half);
    if (part === "content" && stalls) {
      await pause(stalls);
      stalls = undefined;
    }
    if (!last) await pause(fault.slow);
  }
  if (entry?.delivered === "cut") entry.delivered = "complete";
  if ("bytes" in answer) answer.done?.();
  to.end();
}
