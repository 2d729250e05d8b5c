import { isObject, type Json, type JsonObject } from "@manifold-gateway/core/codec";

/** What tests need to know of a protocol that callers speak. The tests that ask every wire the same read it. */
export interface Wire {
  /** Where the gateway takes a small request of it, if it has a surface for it. */
  ask?(model: string, stream: boolean): [path: string, body: JsonObject];
  /** The smallest request. A limit is in it, because some wires demand one. */
  request: JsonObject;
  /** The usual wishes of a request, as many as the wire has. */
  wishes: JsonObject;
  report: Report;
  /** Arguments of calls are records on it: they keep their value, not their spelling. */
  objectArguments?: true;
  /** How it says features of the matrix, by their names, where their rows do not have it. */
  features?: Readonly<Record<string, Spelling>>;
}

/** The words of one protocol for a feature; the rows say what each of these is for. */
export type Spelling = Readonly<Partial<Record<"said" | "near" | "alike", JsonObject>>>;

/** Small replies that say "Hello there" and report usage where a test wants it. */
export interface Report {
  /** A report with every figure of the wire. */
  full: JsonObject;
  body(report?: Json): JsonObject;
  /** The chunks of a reply that reports near its start and at its end, where the wire has both places. */
  chunks(early?: Json, late?: Json): Json[];
  /** Whether the wire reports once. */
  once?: true;
}

/** What tests need to know beside that of a protocol that providers speak. */
export interface UpstreamWire extends Wire {
  /** The smallest reply. */
  reply: JsonObject;
  echo: Echo;
  /** A report of these counts, with what else is billed where the wire counts it. */
  bill(counts: { input: number; output: number; searches: number }): JsonObject;
  /** An answer, a call where wanted, that says this of its end; or nothing of it. 3 tokens went in and 4 came out. */
  ended(end: Json | undefined, calls: boolean): object;
  /** An answer with usage and nothing that can be read. */
  empty: object;
  /** The beginning of a streamed reply, and the error that ends it. */
  cut(message: string): { content: object[]; failure: object };
  /** The body of an error with these words and, in the record around them, these other members. */
  error(message: string, own: object): object;
  /** The chunks of a reply with the name of the model in its place and in its text. */
  named(name: string): (object | string)[];
}

/** A protocol with a surface. */
export type CallerWire = Wire & Required<Pick<Wire, "ask">>;

/** What clients do with a reply: the turns to send back as they came, and the answers of their tools. */
export interface Echo {
  said(body: JsonObject): JsonObject;
  next(body: JsonObject): JsonObject;
}

export const model = "a-model";
export const hi = "Hello.";
export const more = "And now?";
export const says = "Hello there";
export const schema = { type: "object", properties: {} };
export const question = { role: "user", content: "Hi" };
export const tool = { type: "function", function: { name: "look", parameters: schema } };
export const call = { name: "look", arguments: "{}" };
/** The small conversation that is asked of the gateway. */
export const messages: JsonObject[] = [{ role: "user", content: "Hello" }];

export const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
export const list = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.map(object) : [];
export const called = (nodes: JsonObject[], type: string): JsonObject[] =>
  nodes.filter((node) => node.type === type);
export const turn = (role: string, content: Json): JsonObject => ({ role, content });
/** A member that is there where its value is. */
export const under = (name: string, value: Json | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value };
