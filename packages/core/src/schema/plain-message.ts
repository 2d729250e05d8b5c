import { closestName } from "../capability/closest-name.ts";
import { atLeast, atMost, type Bound, type Expectation, mustBe } from "./words.ts";

/** What a schema library says of a fault, as far as its kind has these members. */
export interface LibraryIssue extends Expectation {
  code?: string;
  input?: unknown;
  format?: string;
  origin?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
  inclusive?: boolean;
  exact?: boolean;
  divisor?: number | bigint;
  prefix?: string;
  /** The issues of each alternative. */
  errors?: readonly (readonly LibraryIssue[])[];
  /** The words between which a member decides. */
  options?: readonly unknown[];
  issues?: readonly { message: string }[];
  path?: readonly PropertyKey[];
}

/** The forms of texts, with an example where a form is not known to all. */
const FORMS: Readonly<Record<string, string>> = {
  datetime: "a date and time, such as 2030-01-31T12:00:00Z",
  date: "a date, such as 2030-01-31",
  url: "an address that begins with http:// or https://",
  email: "an e-mail address",
  base64: "base64",
};

/** Whether a fault is that something else stands there, and not its size or form. */
const isOfKind = ({ code, path = [] }: LibraryIssue): boolean =>
  path.length === 0 && (code === "invalid_type" || code === "invalid_value");

/** The sentence about a fault in plain words, for a schema that has no sentence of its own. */
export function plainMessage(issue: LibraryIssue): string {
  const { code, input, errors = [], options } = issue;
  switch (code) {
    case "invalid_type":
      return mustBe([issue], input);
    case "invalid_value":
      return withHint(mustBe([issue], input), input, issue.values);
    case "invalid_union": {
      if (options) return mustBe([{ values: options }], memberOf(issue));
      const kinds = errors.flat();
      return kinds.length > 0 && kinds.every(isOfKind)
        ? withHint(
            mustBe(kinds, input),
            input,
            kinds.flatMap(({ values = [] }) => values),
          )
        : "has none of the allowed forms";
    }
    case "too_small":
      return atLeast(boundOf(issue, issue.minimum));
    case "too_big":
      return atMost(boundOf(issue, issue.maximum));
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      if (issue.prefix !== undefined) return `must begin with ${issue.prefix}`;
      return `must be ${FORMS[issue.format ?? ""] ?? "of another form"}`;
    case "invalid_key":
      return ["the name cannot be used", ...(issue.issues ?? []).map(({ message }) => message)].join(": ");
    case "unrecognized_keys":
      return "has unknown fields";
    default:
      return "is not allowed";
  }
}

const boundOf = (
  { origin = "number", inclusive, exact }: LibraryIssue,
  bound: number | bigint = 0,
): Bound => ({
  ...{ origin, bound, inclusive, exact },
});

/** The member that decides between alternatives; the issue's path ends with its name. */
function memberOf({ input, path = [] }: LibraryIssue): unknown {
  const name = path.at(-1);
  return typeof input === "object" && input !== null && name !== undefined
    ? Reflect.get(input, name)
    : undefined;
}

function withHint(text: string, input: unknown, values: readonly unknown[] = []): string {
  const meant = typeof input === "string" ? closestName(input, values.map(String)) : undefined;
  return meant === undefined ? text : `${text}. Did you mean '${meant}'?`;
}

/** Gives a schema of a library these sentences where it has none of its own: `validate(schema, value, plainWords)`. */
export const plainWords = { error: plainMessage };
