import type { Route } from "@manifold-gateway/gateway";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { rows, targetOf } from "./routes.ts";
import { openWhole, type Whole } from "./whole.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Members that code written for honest values may call, compare or look up. */
const NAMES = ["length", "toString", "valueOf", "then", "constructor", "__proto__", "toJSON", "size", "type"];

/** An object of JSON; `__proto__` is a member like any other. */
const objectOf = (entries: [string, Json][]): Json => {
  const object: { [name: string]: Json } = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
};

const scalar: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  ...[null, true, 0, -1, 0.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e-320],
  ...[
    "",
    "\u0000",
    "\ud800",
    "constructor",
    "__proto__",
    "9007199254740991",
    "data:;base64,",
    "x".repeat(2_000),
  ],
);
/** Cannot be made a text or a number. */
const BARE = { toString: 1, valueOf: 1 };
const fixed: Json[] = [
  { length: BARE },
  { size: BARE, length: -1 },
  { type: BARE, role: BARE, kind: BARE },
  [BARE, [BARE]],
  BARE,
  Object.fromEntries(NAMES.map((name) => [name, BARE])),
  Number.MAX_SAFE_INTEGER,
];
/** What each member is tried with; the second is a figure that no sum can hold. */
const always: Json[] = [{ length: BARE }, Number.MAX_SAFE_INTEGER];
const { hostile } = fc.letrec<{ hostile: Json; object: Json; list: Json }>((tie) => ({
  hostile: fc.oneof({ maxDepth: 3 }, scalar, fc.constantFrom(...fixed), tie("object"), tie("list")),
  object: fc
    .array(fc.tuple(fc.constantFrom(...NAMES), tie("hostile")), { minLength: 1, maxLength: 3 })
    .map(objectOf),
  list: fc.array(tie("hostile"), { maxLength: 2 }),
}));

type Place = (string | number)[];

/** The value with another at a place of it. */
function withAt(value: Json | undefined, [head, ...rest]: Place, other: Json): Json {
  if (head === undefined) return other;
  if (Array.isArray(value)) return value.map((item, i) => (i === head ? withAt(item, rest, other) : item));
  const entries = Object.entries((value ?? {}) as { [name: string]: Json });
  const kept = entries.filter(([name]) => name !== head);
  const before = entries.find(([name]) => name === head)?.[1];
  return objectOf([...kept, [String(head), withAt(before, rest, other)]]);
}

/** Every place in a value, itself included. */
const placesIn = (value: Json, at: Place = []): Place[] => [
  at,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) =>
        placesIn(inner, [...at, Array.isArray(value) ? Number(name) : name]),
      )
    : []),
];

/** The names of all members that a JSON Schema speaks of. */
function namesIn(schema: unknown, names = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return names;
  for (const name of Object.keys((schema as { properties?: object }).properties ?? {})) names.add(name);
  for (const inner of Object.values(schema)) namesIn(inner, names);
  return names;
}

interface Subject {
  name: string;
  path: string;
  route: Route;
  /** What honest callers send. */
  bodies: Json[];
  /** The members of the body itself. */
  own: string[];
  /** The members of the body at any depth. */
  members: string[];
}

const toSubject = ({ route, path }: (typeof rows)[number]): Subject => {
  const schemas = [route.body, route.wire].flatMap((schema) =>
    schema ? [z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })] : [],
  );
  const examples = Object.values(route.examples ?? {}).flatMap(({ body }) => (body ? [body as Json] : []));
  // Without a limit of the model's own, figures reach the arithmetic.
  const bare = examples.flatMap((body) => {
    const { model } = body as { model?: string };
    return model !== undefined && /image|video/.test(model) ? [withAt(body, ["model"], `bare-${model}`)] : [];
  });
  return {
    name: `${route.method} ${path}`,
    path,
    route,
    bodies: [...bare, ...examples, {}],
    own: [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))],
    members: [...schemas.reduce((names, schema) => namesIn(schema, names), new Set(NAMES))],
  };
};
const subjects = rows.map(toSubject);

/** Where a row is asked, as its example does, and never for the key that asks. */
const targetsOf = ({ route, path }: Subject): string => {
  const example = Object.values(route.examples ?? {})[0] ?? {};
  const params = { ...example.params, ...(route.access === "session" && { keyId: "other" }) };
  return targetOf(path, { ...example, params });
};

const defects: unknown[] = [];
let whole: Whole;
beforeAll(async () => {
  const error = (...line: unknown[]) => void defects.push(line);
  whole = await openWhole({ info() {}, warn() {}, error });
});
afterAll(() => whole.close());

/** The generations of requests that were refused. */
const refused = new Set<string>();

/** Sends a request. It may be refused or served; a failure is neither. */
async function send({ name, route }: Subject, path: string, body?: Json, headers?: Record<string, string>) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await whole.send(route, path, text, headers);
  const answer = await response.text();
  const { status } = response;
  const isFailure = status >= 500 && !(status === 503 && path.startsWith("/metrics"));
  expect([isFailure, defects.splice(0)], JSON.stringify([name, path, text, headers, answer])).toEqual([
    false,
    [],
  ]);
  const generation = response.headers.get("x-generation-id");
  if (status >= 400 && generation !== null) refused.add(generation);
}

describe("hostile bodies", () => {
  it.each(subjects.filter(({ route }) => route.body))(
    "no value of a body causes a server error: $name",
    async (subject) => {
      const at = targetsOf(subject);
      const { bodies, own, members } = subject;
      const base = bodies[0] as Json;
      for (const place of [...placesIn(base).slice(1), ...own.map((member) => [member])])
        for (const value of always) await send(subject, at, withAt(base, place, value));
      const changed = fc
        .constantFrom(...bodies)
        .chain((body) =>
          fc.tuple(
            fc.constant(body),
            fc.constantFrom(...placesIn(body)),
            fc.constantFrom(...members),
            hostile,
          ),
        );
      await fc.assert(
        fc.asyncProperty(changed, async ([body, place, member, value]) => {
          await send(subject, at, withAt(body, [...place, member], value));
        }),
        { numRuns: 20 },
      );
    },
  );
});

/** Texts that are no honest path segment, parameter or header. */
const TEXTS = [
  "constructor",
  "__proto__",
  "9007199254740991",
  "1e400",
  "-1",
  "NaN",
  "%",
  '{"length":1}',
  "é",
  "x".repeat(600),
];
const HEADERS = [
  "x-explain",
  "x-loss-policy",
  "idempotency-key",
  "x-request-id",
  "traceparent",
  "content-type",
  "authorization",
];

describe("hostile paths, queries and headers", () => {
  it.each(subjects)("no path or query causes a server error: $name", async (subject) => {
    const { path, route, bodies } = subject;
    const body = route.body ? bodies[0] : undefined;
    for (const text of TEXTS) {
      for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
        const params = Object.fromEntries([[name, text]]);
        await send(subject, targetOf(path, { params }), body);
      }
      const query = Object.fromEntries(
        Object.keys(route.query?.shape ?? { any: 1 }).map((name) => [name, text]),
      );
      await send(subject, `${targetsOf(subject).split("?")[0]}?${new URLSearchParams(query)}`, body);
    }
  });

  it("no header of a request that makes something causes a server error", async () => {
    for (const subject of subjects.filter(({ route }) => route.generates))
      for (const name of HEADERS)
        for (const text of TEXTS) await send(subject, targetsOf(subject), {}, { [name]: encodeURI(text) });
  });
});

it("a refused request costs nothing, and the books add up", async () => {
  for (const id of refused) {
    const record = await whole.store.generations.get({ id, accountId: "caller" });
    expect([id, record?.cost ?? 0]).toEqual([id, 0]);
  }
  expect(await whole.store.money.audit()).toEqual([]);
});
