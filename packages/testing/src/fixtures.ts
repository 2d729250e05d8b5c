import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Protocol, parseWire } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";

/** A recorded or minimal piece of a wire, by the name of its file. */
export interface Fixture<Value> {
  /** The name of its file, without the ending. */
  name: string;
  /** The parsed contents; long integers keep their digits. */
  value: Value;
}

/** What a wire has sent: whole requests and bodies, and streams as their chunks. */
export interface Fixtures {
  /** Requests as clients of the wire send them. */
  requests: Fixture<JsonObject>[];
  /** Unary replies. */
  bodies: Fixture<JsonObject>[];
  /** Streamed replies, each as its chunks. */
  streams: Fixture<Json[]>[];
}

/**
 * Reads a folder of fixtures: `requests/*.json`, `bodies/*.json` and `streams/*.jsonl`, one chunk a line. A body and a
 * stream of one name are the same reply. Integers keep their digits.
 */
export function readFixtures(folder: string): Fixtures {
  const read = <Value>(part: keyof Fixtures, ending: string, parse: (text: string) => Value) => {
    const path = `${folder}/${part}`;
    const files = existsSync(path) ? readdirSync(path).filter((file) => file.endsWith(ending)) : [];
    return files.sort().map(
      (file): Fixture<Value> => ({
        name: file.slice(0, -ending.length),
        value: parse(readFileSync(`${path}/${file}`, "utf8")),
      }),
    );
  };
  return {
    requests: read("requests", ".json", (text) => parseWire(text) as JsonObject),
    bodies: read("bodies", ".json", (text) => parseWire(text) as JsonObject),
    streams: read("streams", ".jsonl", (text) =>
      text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => parseWire(line) as Json),
    ),
  };
}

/** The fixtures of a built-in protocol; empty for any other. */
export const fixturesOf = (protocol: Protocol): Fixtures =>
  readFixtures(fileURLToPath(new URL(`../fixtures/${protocol}`, import.meta.url)));
