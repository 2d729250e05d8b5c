import type { CallPart } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  put,
  textOf,
  toArray,
  toObject,
} from "../../json/json.ts";
import { isRaw } from "../../stream/long-integers.ts";

/** A call whose arguments come piece by piece, each under its path. */
export interface PartialCall {
  /** The opening that is emitted once it is complete: its signature may come with any of its pieces. */
  opening: Omit<CallPart, "arguments">;
  args: JsonObject;
  /** The path of a text that is not complete. */
  growing?: string;
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g;
/** The largest step between indexes: servers count up, so a larger one would only leave holes. */
const GAP = 1_000;

/** Puts the pieces of one chunk in their places. What has no readable path is left out. */
export function grow(call: PartialCall, pieces: Json | undefined): void {
  for (const piece of toArray(pieces)) {
    const { jsonPath, willContinue, ...held } = toObject(piece);
    const path = textOf(jsonPath);
    const value = valueIn(held);
    if (path === undefined || value === undefined) continue;
    place(call.args, stepsOf(path), value, call.growing === path);
    if (willContinue === true) call.growing = path;
    else delete call.growing;
  }
}

function valueIn({ stringValue, numberValue, boolValue, nullValue }: JsonObject): Json | undefined {
  return stringValue ?? numberValue ?? boolValue ?? (nullValue === undefined ? undefined : null);
}

function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(STEP)].map(([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? "") : Number(index),
  );
}

function place(root: JsonObject, steps: (string | number)[], value: Json, append: boolean): void {
  let at: Json = root;
  for (const [depth, step] of steps.entries()) {
    const last = depth === steps.length - 1;
    const held = read(at, step);
    if (last)
      write(at, step, append && typeof held === "string" && typeof value === "string" ? held + value : value);
    else if (typeof held === "object" && held !== null && !isRaw(held)) at = held;
    else {
      const fresh: Json = typeof steps[depth + 1] === "number" ? [] : {};
      write(at, step, fresh);
      at = fresh;
    }
  }
}

function read(place: Json, step: string | number): Json | undefined {
  if (Array.isArray(place)) return numberOf(step) === undefined ? undefined : place[step as number];
  return isObject(place) && Object.hasOwn(place, String(step)) ? place[String(step)] : undefined;
}

function write(place: Json, step: string | number, value: Json): void {
  if (isObject(place)) put(place, String(step), value);
  else if (Array.isArray(place) && typeof step === "number" && step <= place.length + GAP) {
    while (place.length < step) place.push(null);
    place[step] = value;
  }
}
