import { type Issue, issuesOf } from "./issues.ts";
import type { Infer, Node, Schema } from "./node.ts";

/** The result of a validation: the value as its reader takes it, or what is wrong with it. */
export type Validated<T> =
  | { success: true; data: T; error?: never }
  | { success: false; data?: never; error: { issues: Issue[] } };

/** The check of a request before it is decoded: one made by `validator`, or a schema of a library such as zod. */
export interface Validator<T> {
  safeParse(value: unknown): Validated<T>;
  /** The value, or an error thrown that lists the issues. */
  parse(value: unknown): T;
}

/** A validator whose schema can be read. */
export interface NodeValidator<T, N extends Node = Node> extends Validator<T> {
  readonly node: N;
}

/**
 * A validator of values by a schema. `data` is the value itself: unknown members pass, and nothing is converted.
 * `prepare` brings other spellings into the form of the schema first.
 */
export function validator<N extends Node & Schema>(
  node: N,
  prepare: (value: unknown) => unknown = (value) => value,
): NodeValidator<Infer<N>, N> {
  const safeParse = (value: unknown): Validated<Infer<N>> => {
    const data = prepare(value);
    const issues = issuesOf(node, data);
    return issues ? { success: false, error: { issues } } : { success: true, data: data as Infer<N> };
  };
  return {
    node,
    safeParse,
    parse(value) {
      const { data, error } = safeParse(value);
      if (error) throw new TypeError(error.issues.map(textOf).join("; "));
      return data;
    },
  };
}

const textOf = ({ path, message }: Issue): string =>
  path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message;
