import { errorFields, StoreUnavailable } from "@manifold-gateway/store";
import { expect, it } from "vitest";

const coded = (message: string, code: string, more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });
const REFUSED = coded("connect ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED");
const NOBODY = { error: "nothing accepts connections there", code: "ECONNREFUSED", cause: REFUSED.message };
const REFUSAL = "the database refused a statement";
const circle = new Error("a circle");
circle.cause = circle;

it.each<[string, unknown, object]>([
  ["a system", REFUSED, NOBODY],
  ["fetch", new TypeError("fetch failed", { cause: REFUSED }), NOBODY],
  ["several addresses", coded("", "ECONNREFUSED", { errors: [REFUSED] }), NOBODY],
  [
    "a whole store",
    new StoreUnavailable(REFUSED),
    { error: `StoreUnavailable: the store is unavailable: ${REFUSED.message}`, code: "ECONNREFUSED" },
  ],
  [
    "Postgres",
    coded('relation "keys" does not exist', "42P01"),
    { error: REFUSAL, code: "42P01", cause: 'relation "keys" does not exist' },
  ],
  [
    "SQLite",
    coded("no such table: keys", "SQLITE_ERROR"),
    { error: REFUSAL, code: "SQLITE_ERROR", cause: "no such table: keys" },
  ],
  [
    "a process without rights",
    coded("EPERM: operation not permitted, open '/a'", "EPERM"),
    { error: "this user may not", code: "EPERM", cause: "EPERM: operation not permitted, open '/a'" },
  ],
  [
    "an error of ours with the code of another",
    new Error("the file is away", { cause: coded("socket hang up", "ECONNRESET") }),
    { error: "Error: the file is away", code: "ECONNRESET", cause: "socket hang up" },
  ],
  ["a defect", new TypeError("x is not a function"), { error: "TypeError: x is not a function" }],
  ["a text", "exit code 3", { error: "exit code 3" }],
  ["nothing", undefined, { error: "undefined" }],
  ["a circle", circle, { error: "Error: a circle" }],
])("an error of %s has our words, its code and its own words", (_, error, fields) => {
  expect(errorFields(error)).toEqual(fields);
});

it.each([
  ["cannot reach postgres://me:p@ss@db:5432/a?password=s now", "cannot reach postgres://…@db:5432/a?… now"],
  ["GET https://files.example/a?X-Amz-Signature=1&key=2: 403", "GET https://files.example/a?… 403"],
])("an address in %j has neither credentials nor parameters", (text, shown) => {
  expect(errorFields(new Error(text))).toEqual({ error: `Error: ${shown}` });
  expect(errorFields(new Error("away", { cause: new Error(text) }))).toMatchObject({ cause: shown });
});

// With an expression that tries each address to the end of the text, this would take minutes.
it("a long text of addresses is read once", () => {
  expect(errorFields(new Error("a://".repeat(100_000))).error).toContain("a://a://");
});
