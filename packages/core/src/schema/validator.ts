import { type Issue, issuesOf } from "./issues.ts";
import type { Infer, Node, Schema } from "./node.ts";
import type { LibraryIssue } from "./plain-message.ts";

/** The result of a validation: the value as its reader takes it, or what is wrong with it. */
export type Validated<T> =
  | { success: true; data: T; error?: never }
  | { success: false; data?: never; error: { issues: Issue[] } };

/** The check of a request before it is decoded: one made by `validator`, or a schema of a library such as zod. */
export interface Validator<T> {
  /** The value, or the issues; never throws. A library takes its words for faults from `context`. */
  safeParse(value: unknown, context?: { error: (issue: LibraryIssue) => string }): Validated<T>;
  /** The value, or an error thrown that lists the issues. */
  parse(value: unknown): T;
}

/** A validator whose schema can be read. */
export interface NodeValidator<T, N extends Node = Node> extends Validator<T> {
  /** The schema as data. */
  readonly node: N;
}

/** A fault that only code can find. */
export interface Fault {
  /** The path of members to the faulty value: `["messages", 0]`. */
  path: (string | number)[];
  /** The sentence for people. */
  message: string;
}

/** What a validator does beside comparing with the schema. */
export interface ValidatorOptions {
  /** Brings other spellings into the form of the schema first. */
  prepare?: (value: unknown) => unknown;
  /** Checks a value that fits the schema further. */
  faults?: (value: unknown) => Iterable<Fault>;
}

/**
 * A validator of values by a schema. `data` is the value itself: unknown members pass, and nothing is converted.
 *
 *     const schema = validator(object({ model: string(), seed: optional(number()) }));
 *     schema.safeParse({ model: 1 }).error?.issues; // [{ code: "invalid_type", path: ["model"], message: "…" }]
 */
export function validator<N extends Node & Schema>(
  node: N,
  { prepare = (value) => value, faults = () => [] }: ValidatorOptions = {},
): NodeValidator<Infer<N>, N> {
  const safeParse = (value: unknown): Validated<Infer<N>> => {
    const data = prepare(value);
    const issues = issuesOf(node, data) ?? Array.from(faults(data), toIssue);
    return issues.length > 0
      ? { success: false, error: { issues } }
      : { success: true, data: data as Infer<N> };
  };
  return {
    node,
    safeParse,
    parse(value) {
      const result = safeParse(value);
      if (!result.success) throw new TypeError(result.error.issues.map(textOf).join("; "));
      return result.data;
    },
  };
}

const toIssue = ({ path, message }: Fault): Issue => ({ code: "custom", path, message });
const textOf = ({ path, message }: Issue): string =>
  path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message;
