// Schemas of requests as data: what a wire takes is a tree of plain objects, which `validator` checks values by. A
// program that needs them in another form (JSON Schema, a schema of a library) reads the same tree.

interface Base {
  /** The member may be absent. */
  readonly optional?: true;
  /** `null` is allowed too. */
  readonly nullable?: true;
}

/** A text. */
export interface StringNode extends Base {
  readonly kind: "string";
  /** The fewest characters. */
  readonly min?: number;
  readonly pattern?: RegExp;
  /** The error for a string that breaks `min` or `pattern`. Default: one that names the bound. */
  readonly message?: string;
}
/** A number. */
export interface NumberNode extends Base {
  readonly kind: "number";
  readonly integer?: true;
  readonly min?: number;
  readonly max?: number;
}
/** `true` or `false`. */
export interface BooleanNode extends Base {
  readonly kind: "boolean";
}
/** Any JSON value. */
export interface AnyNode extends Base {
  readonly kind: "any";
}
/** An object whose members' names belong to the user. */
export interface RecordNode extends Base {
  readonly kind: "record";
  /** The schema of each member. Default: any value. */
  readonly values?: Node;
  /** The error for anything but an object. Default: one that names the types. */
  readonly message?: string;
}
/** A list. */
export interface ArrayNode extends Base {
  readonly kind: "array";
  readonly items: Node;
  /** The fewest items. */
  readonly min?: number;
  /** The error for a shorter list. Default: one that names the bound. */
  readonly message?: string;
}
/** One of several words. */
export interface EnumNode extends Base {
  readonly kind: "enum";
  readonly values: readonly string[];
}
/** An object. Unknown members pass. */
export interface ObjectNode extends Base {
  readonly kind: "object";
  /** The schemas of the known members, by name. */
  readonly members: Readonly<Record<string, Node>>;
  /** A member that is required by the value of another. */
  readonly needs?: Need;
}
/** A member that an object cannot do without, by the value of another: a part of type "text" needs "text". */
export interface Need {
  /** The object's name in errors: `part`. */
  readonly noun: string;
  /** The member whose value decides. */
  readonly by: string;
  /** The value that counts where that member is absent. */
  readonly absent?: string;
  /** The needed member for each value that has one. */
  readonly members: Readonly<Record<string, string>>;
  /** A member that may stand in place of the needed one. */
  readonly instead?: string;
}
/** A value that fits one of several schemas. */
export interface UnionNode extends Base {
  readonly kind: "union";
  readonly options: readonly Node[];
  /** The error for all other values. */
  readonly message?: string;
}
/** An object with a schema of its own for each value of one member, beside what all of them have in common. */
export interface VariantNode extends Base {
  readonly kind: "variant";
  /** The members that all cases have. */
  readonly common: ObjectNode;
  /** The member whose value decides. */
  readonly by: string;
  /** Further members, by that value. */
  readonly cases: Readonly<Record<string, ObjectNode>>;
  /** The value that counts where the member is absent. */
  readonly absent?: (value: Readonly<Record<string, unknown>>) => string;
  /** Values without a case are refused. Default: they pass. */
  readonly closed?: true;
  /** The error for all but such objects, and for a member that is outside a closed list. */
  readonly message?: string;
}

/** One node of a schema. */
export type Node =
  | StringNode
  | NumberNode
  | BooleanNode
  | AnyNode
  | RecordNode
  | ArrayNode
  | EnumNode
  | ObjectNode
  | UnionNode
  | VariantNode;

/** Only for the compiler: the type of the values that a schema accepts. */
declare const accepted: unique symbol;
interface Of<T> {
  readonly [accepted]?: { type: T };
}

/** A node that is known to accept values of a type. */
export type Schema<T = unknown, N extends Node = Node> = N & Of<T>;
type Optional<T> = Schema<T> & { readonly optional: true };

/** The type of the values that a schema accepts. */
export type Infer<S> = S extends Of<infer T> ? T : never;

type Members = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<M> = { [K in keyof M]: M[K] extends { readonly optional: true } ? K : never }[keyof M];
type InferMembers<M> = {
  [K in Exclude<keyof M, OptionalKeys<M>>]: Infer<M[K]>;
} & { [K in OptionalKeys<M>]?: Infer<M[K]> | undefined };
type Flat<T> = { [K in keyof T]: T[K] };
type ObjectOf<M> = Flat<InferMembers<M> & { [member: string]: unknown }>;

/** A string: `string({ min: 1 })`, `string({ pattern: /^\w+$/, message: "must be a word" })`. */
export const string = (rules: Omit<StringNode, "kind"> = {}): Schema<string> => ({
  kind: "string",
  ...rules,
});
/** A finite number: `number({ integer: true, min: 1 })`. */
export const number = (rules: Omit<NumberNode, "kind"> = {}): Schema<number> => ({
  kind: "number",
  ...rules,
});
/** `true` or `false`. */
export const boolean = (): Schema<boolean> => ({ kind: "boolean" });
/** Any JSON value. It is not looked at. */
export const any = (): Schema<unknown> => ({ kind: "any" });

/** An object of any members, such as the arguments of a call. `message` replaces the error for other types. */
export const record = (message?: string): Schema<Record<string, unknown>> => ({
  kind: "record",
  ...(message !== undefined && { message }),
});
/** An object whose members all have one schema: `recordOf(number())`. */
export const recordOf = <T>(values: Schema<T>): Schema<Record<string, T>> => ({ kind: "record", values });

/** A list: `array(string(), { min: 1 })`. */
export const array = <T>(items: Schema<T>, rules: Pick<ArrayNode, "min" | "message"> = {}): Schema<T[]> => ({
  kind: "array",
  items,
  ...rules,
});

/** One of these words: `oneOf("user", "assistant")`. */
export const oneOf = <const Word extends string>(...values: readonly Word[]): Schema<Word> => ({
  kind: "enum",
  values,
});

/** An object, whose unknown members pass: `object({ model: string(), seed: optional(number()) })`. */
export const object = <M extends Members>(members: M, needs?: Need): Schema<ObjectOf<M>, ObjectNode> => ({
  kind: "object",
  members,
  ...(needs && { needs }),
});

/** A value of any of these schemas: `union([string(), array(string())])`. */
export const union = <const S extends readonly Schema<unknown>[]>(
  options: S,
  message?: string,
): Schema<Infer<S[number]>> => ({ kind: "union", options, ...(message !== undefined && { message }) });

/**
 * An object with a schema of its own for each value of one member. Its type is that of what all of them have in common.
 *
 *     variant(object({ type: string() }), "type", { text: object({ text: string() }), image: object({ url: string() }) })
 */
export const variant = <T>(
  common: Schema<T, ObjectNode>,
  by: string,
  cases: VariantNode["cases"],
  rules: Pick<VariantNode, "absent" | "closed" | "message"> = {},
): Schema<T> => ({ kind: "variant", common, by, cases, ...rules });

/** A member that may be absent. */
export const optional = <T>(schema: Schema<T>): Optional<T> => ({ ...schema, optional: true });
/** A member that may be absent, or `null`, which means the same. */
export const nullish = <T>(schema: Schema<T>): Optional<T | null> => ({
  ...schema,
  optional: true,
  nullable: true,
});
