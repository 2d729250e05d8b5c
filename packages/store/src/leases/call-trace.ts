import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorFields } from "../engine/error-fields.ts";
import type { StoreLog } from "../engine/log.ts";
import { TRACED, type TracedValues } from "../usage/generation-columns.ts";

/** Bytes added before the file is rewritten with only those calls that the database does not have. */
const ROOM = 256 * 1024;

/**
 * The room is filled with zeros at once: a write that makes a file longer changes its inode as well, which costs several
 * times as much as one into bytes that are there. No line has a zero, and what follows the last line end is not read.
 */
const EMPTY = "\0".repeat(ROOM);

/** A call as a line of the file: enough to make its record. */
export type TracedCall = TracedValues;

/**
 * The calls of one process that the database may not have yet, in a file. Written bytes belong to the kernel: they
 * survive any end of the process, even by a signal, without a wait for the disk.
 */
export interface CallTrace {
  /** Writes down a call before it goes out; false if the write failed. */
  add(call: TracedCall): boolean;
  /** Removes the file: all calls are in the database. */
  close(): void;
}

/** The name of an owner's file. Its first line is the owner's name, each further line a call. */
export const traceFileOf = (owner: string): string =>
  `${createHash("sha256").update(owner).digest("base64url").slice(0, 32)}.calls`;

const lineOf = (call: TracedCall): string => `${JSON.stringify(TRACED.map((name) => call[name]))}\n`;

export interface Trace {
  owner: string;
  /** Parsed when they are read, which they are not while their process lives. */
  readonly calls: TracedCall[];
}

/** Reads a file's owner and calls. A line cut short by a full disk or a kill is skipped: its call never went out. */
export function readTrace(text: string): Trace | undefined {
  const [head = "", ...lines] = text.split("\n").slice(0, -1);
  const owner = parse(head);
  if (typeof owner !== "string") return undefined;
  return {
    owner,
    get calls() {
      return lines.map(parse).filter(Array.isArray).map(toCall);
    },
  };
}

/** The call of a line; an earlier version's line has no value of a later column. */
const toCall = (line: readonly unknown[]): TracedCall =>
  Object.fromEntries(TRACED.map((name, at) => [name, line[at] ?? null])) as TracedCall;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Writes all of a text or throws: a full disk may take only a part of it. */
function put(file: number, text: string, at: number): number {
  const length = Buffer.byteLength(text);
  if (writeSync(file, text, at) !== length) throw new Error("the disk is full");
  return length;
}

/** A trace in a folder, created with the first call. `open` returns the calls that the trace must still hold. */
export function createCallTrace(
  folder: string,
  owner: string,
  { log, open }: { log: StoreLog | undefined; open(): Iterable<TracedCall> },
): CallTrace {
  const path = join(folder, traceFileOf(owner));
  let file: number | undefined;
  let length = 0;
  let room = 0;
  let isFailing = false;

  /** Replaces the file by a new one in one step: at every moment a file holds the calls. */
  const renew = (): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const next = openSync(`${path}.next`, "w", 0o600);
    try {
      const lines = Array.from(open(), lineOf);
      length = put(next, [`${JSON.stringify(owner)}\n`, ...lines].join(""), 0);
      put(next, EMPTY, length);
      renameSync(`${path}.next`, path);
    } catch (error) {
      closeSync(next);
      throw error;
    }
    if (file !== undefined) closeSync(file);
    file = next;
    room = length + ROOM;
  };

  return {
    add(call) {
      try {
        if (file === undefined || length > room) renew();
        length += put(file!, lineOf(call), length);
        isFailing = false;
        return true;
      } catch (error) {
        if (!isFailing)
          log?.warn(
            { folder, ...errorFields(error) },
            "calls cannot be written down; requests hold for themselves",
          );
        isFailing = true;
        return false;
      }
    },
    close() {
      if (file === undefined) return;
      closeSync(file);
      file = undefined;
      unlinkSync(path);
    },
  };
}

/** The trace of a process without a folder: it writes nothing. */
export const noTrace: CallTrace = { add: () => true, close() {} };
