import {
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  toArray,
  toText,
} from "@manifold-gateway/core/codec";

/** One statement of an error body: its words, and what stands beside them. */
export interface ErrorStatement {
  words: string;
  /** The error's code and type. */
  code?: string;
  /** A path as the provider writes it: `temperature`, `tools[0].parameters`, `body.max_completion_tokens`. */
  parameter?: string;
}

/** The most statements that are read from one body, and the most levels of values within values. */
const MAX_STATEMENTS = 16;
const MAX_DEPTH = 10;
/** The most characters of one statement. */
const MAX_LENGTH = 2_000;

/** Words before a statement that say only where it was made. */
const INTRODUCTIONS: readonly RegExp[] = [
  /^litellm\.\w{1,60}: /i,
  /^\w{1,60}Exception(?: - |: )/,
  /^The model returned the following errors: /,
  /^<\d{3}> [\w.]{1,80}: /,
  /^(?:Error code: )?\[?\d{3}\]?(?: - |: )/,
  /^(?:APIError|BadRequestError|Bad Request|Value error|ValueError)[,:] /i,
  /^invalid params, /,
  /^Malformed input request: /,
  /^Invalid JSON payload received\. /,
];

/** The members that hold an error, a list of errors or words, the innermost first: routers keep a provider's body. */
const MEMBERS = "metadata raw details fieldViolations error errors detail message msg description".split(" ");

/** What stands around a statement. */
type Context = Omit<ErrorStatement, "words">;

/**
 * The statements of an error body, the innermost first: a body in another one, as JSON or as JSON text, is what the
 * model's own server wrote.
 */
export function errorStatements(body: Json | undefined): ErrorStatement[] {
  const statements: ErrorStatement[] = [];
  collect(body, {}, MAX_DEPTH, statements);
  return statements;
}

function collect(value: Json | undefined, context: Context, depth: number, into: ErrorStatement[]): void {
  if (depth === 0 || into.length >= MAX_STATEMENTS) return;
  if (typeof value === "string") collectText(value, context, depth, into);
  else if (Array.isArray(value))
    for (const item of value.slice(0, MAX_STATEMENTS)) collect(item, context, depth - 1, into);
  else if (isObject(value)) {
    const inside = { ...context, ...placeOf(value) };
    for (const member of MEMBERS) collect(value[member], inside, depth - 1, into);
  }
}

function collectText(text: string, context: Context, depth: number, into: ErrorStatement[]): void {
  const inner = jsonIn(text);
  if (inner !== undefined) collect(inner, context, depth - 1, into);
  const words = withoutIntroduction(text.slice(0, MAX_LENGTH).trim());
  if (words !== "" && into.length < MAX_STATEMENTS) into.push({ words, ...context });
}

/** The object or list that ends a text, as routers write a provider's body behind words of their own. */
function jsonIn(text: string): Json | undefined {
  const begin = text.search(/[[{]/);
  return begin < 0 || text.length > MAX_LENGTH * 8 ? undefined : parseJson(text.slice(begin));
}

/** The code of an error object and the parameter that it names: by `param`, by `field`, or by a path in the body. */
function placeOf({ param, field, loc, code, type }: JsonObject): Context {
  const path = toArray(loc).filter((step) => step !== "body" && typeof step !== "object");
  const parameter = toText(param) || toText(field) || path.join(".");
  const named = `${toText(code)} ${toText(type)}`.trim();
  return { ...(parameter && { parameter }), ...(named && { code: named }) };
}

function withoutIntroduction(words: string): string {
  let left = words;
  for (let round = 0; round < INTRODUCTIONS.length; round += 1) {
    const introduction = INTRODUCTIONS.map((pattern) => pattern.exec(left)?.[0]).find(
      (text) => text !== undefined,
    );
    if (introduction === undefined) break;
    left = left.slice(introduction.length);
  }
  return left;
}
