import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { targetOf } from "./routes.ts";
import {
  type Json,
  NAMES,
  objectOf,
  placesIn,
  type Subject,
  subjects,
  targetsOf,
  withAt,
} from "./subjects.ts";
import { openWhole, type Whole } from "./whole.ts";

/** How many bodies are made for each route. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 5);

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

const defects: unknown[] = [];
let whole: Whole;
beforeAll(async () => {
  const error = (...line: unknown[]) => void defects.push(line);
  whole = await openWhole({ info() {}, warn() {}, error });
});
afterAll(() => whole.close());

/** The generations of requests that were refused. */
const refused = new Set<string>();

/** Words of the libraries below the service: of zod, SQLite, Postgres, undici and Node. */
const LIBRARY =
  /Invalid (input|option|string|key|element|UUID)\b|Too (small|big):|Unrecognized key|expected \w+, received|must match pattern|SQLITE_|UNIQUE constraint|FOREIGN KEY|syntax error at|violates|ERR_[A-Z]|UND_ERR|E[A-Z]{4,}:|Unexpected token|is not valid JSON|fetch failed|Cannot read prop/;

/** A refusal is in plain words, and names faulty fields for programs where it has no object of a protocol. */
function checkWords(answer: string): void {
  expect(answer).not.toMatch(LIBRARY);
  if (!answer.startsWith("{")) return;
  const { code, errors, error, fields } = JSON.parse(answer);
  if (code !== "invalid_request" || error !== undefined) return;
  expect(fields, answer).not.toEqual([]);
  for (const { text } of fields) expect(errors.join("\n")).toContain(text);
}

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
  if (status >= 400) checkWords(answer);
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
        { numRuns: RUNS },
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
