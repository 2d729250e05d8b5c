import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { targetOf } from "./routes.ts";
import { type Json, objectOf, placesIn, type Subject, subjects, targetsOf, withAt } from "./subjects.ts";
import { openWhole, type Whole } from "./whole.ts";

/** The names that every object has: a table that is read by one of them finds a function. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);
const VALUES: Json[] = [{ any: 1 }, "any", 1];
const HEADERS = [
  "x-explain",
  "x-loss-policy",
  "x-tags",
  "idempotency-key",
  "anthropic-beta",
  "content-type",
  "accept",
];

const defects: unknown[] = [];
let whole: Whole;
beforeAll(async () => {
  const error = (...line: unknown[]) => void defects.push(line);
  whole = await openWhole({ info() {}, warn() {}, error });
});
afterAll(() => whole.close());

/** Sends a request, which may be refused or served, but not fail. */
async function send({ route }: Subject, path: string, body?: Json, headers?: Record<string, string>) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await whole.send(route, path, text, headers);
  const answer = await response.text();
  const isFailure = response.status >= 500 && !(response.status === 503 && path.startsWith("/metrics"));
  expect([isFailure, defects.splice(0)], JSON.stringify([path, text, headers, answer])).toEqual([false, []]);
}

const at = (body: Json, place: (string | number)[]): unknown =>
  // biome-ignore lint/suspicious/noExplicitAny: a value of any shape
  place.reduce((value: any, step) => value?.[step], body);

/** Counts through the names, so that each is tried at many places and few at each of them. */
let turn = 0;
const nextName = (): string => NAMES[turn++ % NAMES.length] as string;
/** The name that every object has a function for, and another. */
const tried = (): string[] => ["constructor", nextName()];

/** Bodies with the names as members of each object, and in place of each text. */
function* bodiesWithNames(body: Json): Generator<Json> {
  for (const place of placesIn(body)) {
    const value = at(body, place);
    if (typeof value === "string") for (const name of tried()) yield withAt(body, place, name);
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    const all = NAMES.filter((name) => name !== "__proto__");
    const member = VALUES[turn % VALUES.length] as Json;
    yield withAt(
      body,
      place,
      objectOf([
        ...(Object.entries(value) as [string, Json][]),
        ...all.map((name): [string, Json] => [name, member]),
      ]),
    );
    for (const name of tried()) yield withAt(body, [...place, name], { any: 1 });
  }
}

describe("names of Object.prototype", () => {
  it.each(subjects.filter(({ route }) => route.body))(
    "no member or text of a body causes a server error: $name",
    async (subject) => {
      const target = targetsOf(subject);
      const base = subject.bodies[0] as Json;
      for (const body of bodiesWithNames(base)) await send(subject, target, body);
      for (const member of subject.own) {
        const name = nextName();
        for (const value of ["constructor", objectOf([[name, name]]), [objectOf([["type", name]])]] as Json[])
          await send(subject, target, withAt(base, [member], value));
      }
    },
  );

  it.each(subjects)("no path, query or header causes a server error: $name", async (subject) => {
    const { path, route, bodies } = subject;
    const body = route.body ? bodies[0] : undefined;
    const target = targetsOf(subject);
    for (const name of tried()) {
      for (const [, parameter = ""] of path.matchAll(/\{(\w+)\}/g))
        await send(subject, targetOf(path, { params: { [parameter]: name } }), body);
      const named = Object.fromEntries(
        Object.keys(route.query?.shape ?? {}).map((parameter) => [parameter, name]),
      );
      const query = new URLSearchParams({ ...named, [name]: name });
      await send(subject, `${target.split("?")[0]}?${query}`, body);
      if (route.generates)
        for (const header of HEADERS) await send(subject, target, body, { [header]: name });
    }
  });
});
