import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DONE, type Protocol, parseWire } from "@manifold-gateway/core";
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
 * Reads a folder of fixtures: `requests/*.json`, `bodies/*.json` and `streams/*.jsonl`, one chunk a line, as JSON or as
 * the closing line `[DONE]`. A body and a stream of one name are the same reply. Integers keep their digits. Throws for a
 * folder with none of these files, and for a line other than JSON, with its place.
 */
export function readFixtures(folder: string | URL): Fixtures {
  const root = folder instanceof URL ? fileURLToPath(folder) : folder;
  const read = <Value>(
    part: keyof Fixtures,
    ending: string,
    parse: (text: string, place: string) => Value,
  ) => {
    const path = join(root, part);
    const files = existsSync(path) ? readdirSync(path).filter((file) => file.endsWith(ending)) : [];
    return files.sort().map((file): Fixture<Value> => {
      const place = join(path, file);
      return { name: file.slice(0, -ending.length), value: parse(readFileSync(place, "utf8"), place) };
    });
  };
  const fixtures: Fixtures = {
    requests: read("requests", ".json", (text, place) => parse(text, place) as JsonObject),
    bodies: read("bodies", ".json", (text, place) => parse(text, place) as JsonObject),
    streams: read("streams", ".jsonl", (text, place) =>
      text
        .split("\n")
        .map((line, at) => (line.trim() === "" ? undefined : parse(line, `${place}:${at + 1}`)))
        .filter((chunk) => chunk !== undefined),
    ),
  };
  if (isEmpty(fixtures))
    throw new Error(`${root}: there are no requests/*.json, bodies/*.json or streams/*.jsonl in this folder`);
  return fixtures;
}

/** Checks whether there is nothing that a law could be checked on. */
export const isEmpty = (fixtures: Fixtures): boolean =>
  Object.values(fixtures).every(({ length }) => length === 0);

function parse(text: string, place: string): Json {
  if (text.trim() === DONE) return DONE;
  const value = parseWire(text);
  if (value === undefined) throw new Error(`${place}: this is no JSON: ${text.trim().slice(0, 80)}`);
  return value;
}

/** The fixtures of a built-in protocol. */
export const fixturesOf = (protocol: Protocol): Fixtures =>
  readFixtures(new URL(`../fixtures/${protocol}`, import.meta.url));
