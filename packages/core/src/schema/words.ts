/** The types of values in plain words. */
const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  never: "absent",
};

/** What bounds of values with a length count. */
const COUNTED: Readonly<Record<string, string>> = {
  string: "character",
  array: "item",
  set: "item",
  tuple: "item",
  object: "member",
};

/** The type of a value in plain words. */
export const typeOf = (value: unknown): string =>
  value === null ? "null" : (TYPES[Array.isArray(value) ? "array" : typeof value] ?? typeof value);

/** What a schema expects of a value, by its name for a type or by the values that it allows. */
export interface Expectation {
  expected?: string;
  values?: readonly unknown[];
}

/** The expectation in plain words; undefined if there is none. */
export function wantedBy({ expected, values }: Expectation): string | undefined {
  if (values) return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(", ")}`;
  return expected === undefined ? undefined : (TYPES[expected] ?? expected);
}

/** Says what a value must be, and of what type it is. The value itself may be a secret. */
export function mustBe(expectations: readonly Expectation[], value: unknown): string {
  const phrases = [...new Set(expectations.flatMap((one) => wantedBy(one) ?? []))];
  if (phrases.length === 0) return value === undefined ? "is missing" : "has none of the allowed forms";
  const wanted = phrases.join(phrases.some((one) => one.includes(",")) ? ", or " : " or ");
  if (value === undefined) return `is missing: it must be ${wanted}`;
  const type = typeOf(value);
  // Of the right type, it is the value itself that is not allowed.
  const hasType = expectations.some(({ expected, values }) =>
    values
      ? values.some((one) => typeOf(one) === type)
      : TYPES[expected === "int" ? "number" : (expected ?? "")] === type,
  );
  return `must be ${wanted}${hasType ? "" : `, and is ${type}`}`;
}

/** A bound of a value, or of its length. */
export interface Bound {
  /** The type of the value: `number`, `string`. */
  origin: string;
  bound: number | bigint;
  /** False if the bound itself is not allowed. Default: true. */
  inclusive?: boolean | undefined;
  /** Whether only the bound is allowed. Default: false. */
  exact?: boolean | undefined;
}

/** Says what a value that is too small must be. */
export function atLeast({ origin, bound, inclusive = true, exact = false }: Bound): string {
  const counted = COUNTED[origin];
  if (counted === undefined) return inclusive ? `must be ${bound} or more` : `must be more than ${bound}`;
  if (exact) return `must have exactly ${many(bound, counted)}`;
  return Number(bound) === 1 ? "must not be empty" : `must have ${many(bound, counted)} or more`;
}

/** Says what a value that is too large must be. */
export function atMost({ origin, bound, inclusive = true, exact = false }: Bound): string {
  const counted = COUNTED[origin];
  if (counted === undefined) return inclusive ? `must be at most ${bound}` : `must be less than ${bound}`;
  return exact ? `must have exactly ${many(bound, counted)}` : `must have at most ${many(bound, counted)}`;
}

const many = (count: number | bigint, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
