import { isRaw, type Json, type JsonObject, put, type Wires } from "@manifold-gateway/core/codec";

/** Encodings from bytes to text. `latin1` is faster, for text that is all ASCII. */
export type Encoding = "latin1" | "utf8";

/** A long string of a body, mostly media, kept as the bytes that arrived. */
export class LargeString {
  readonly bytes: Buffer;
  readonly #encoding: Encoding;

  /** `bytes` are the bytes between its quotes. */
  constructor(bytes: Buffer, encoding: Encoding) {
    this.bytes = bytes;
    this.#encoding = encoding;
  }

  /** The beginning of the text, long enough to recognize its kind. */
  get head(): string {
    return headOf(this.bytes);
  }

  toString(): string {
    const text = this.bytes.toString(this.#encoding);
    return this.bytes.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
  }
}

const escapes: Readonly<Record<string, string>> = { "\\/": "/", "\\n": "\n", "\\r": "\r" };

/** The beginning of the string that these bytes encode, long enough to recognize its kind. */
export const headOf = (bytes: Buffer): string =>
  bytes.toString("latin1", 0, 1024).replace(/\\[/nr]/g, (match) => escapes[match] as string);

/** A JSON value with some long strings not decoded. */
export type LazyJson = string | number | boolean | null | LargeString | LazyJson[] | LazyObject;
export type LazyObject = { [key: string]: LazyJson };

export const isLazyObject = (node: LazyJson): node is LazyObject =>
  typeof node === "object" &&
  node !== null &&
  !Array.isArray(node) &&
  !(node instanceof LargeString) &&
  !isRaw(node);

/** Decodes all strings of a value. Members that hold media are decoded at the first read. */
export function decoded(lazy: LazyJson, protocols: Wires): Json {
  if (lazy instanceof LargeString) return lazy.toString();
  if (Array.isArray(lazy)) return lazy.map((item) => decoded(item, protocols));
  if (!isLazyObject(lazy)) return lazy;
  const value: JsonObject = {};
  for (const name of Object.keys(lazy)) {
    const member = lazy[name] as LazyJson;
    const late = member instanceof LargeString ? lateMemberOf(name, protocols) : undefined;
    if (late) late(value, member as LargeString);
    else put(value, name, decoded(member, protocols));
  }
  return value;
}

/**
 * Defines a member that is decoded at the first read. There is one accessor for each name: with one for each object,
 * every object would get a hidden class of its own, which lives long and keeps the body in memory.
 */
function lateMember(name: string): (on: object, inline: LargeString) => void {
  const slot = Symbol(name);
  const settle = (on: object, value: unknown): void => {
    Object.defineProperty(on, name, { value, enumerable: true, configurable: true, writable: true });
  };
  const accessor: PropertyDescriptor & ThisType<{ [slot]: LargeString }> = {
    enumerable: true,
    configurable: true,
    get() {
      const text = this[slot].toString();
      settle(this, text);
      return text;
    },
    set(value: unknown) {
      settle(this, value);
    },
  };
  return (on, inline) => {
    Object.defineProperty(on, slot, { value: inline });
    Object.defineProperty(on, name, accessor);
  };
}

const lateMembers = new Map<string, ReturnType<typeof lateMember>>();

/** Returns the function that defines a member of this name, if the protocols have inline media in such members. */
function lateMemberOf(name: string, { files }: Wires): ReturnType<typeof lateMember> | undefined {
  if (!files.has(name)) return undefined;
  const late = lateMembers.get(name) ?? lateMember(name);
  lateMembers.set(name, late);
  return late;
}
