import type { Event } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, parseJson, toArray } from "../json/json.ts";
import { valueEnd } from "../json/scan.ts";
import { memberText } from "../json/splice.ts";
import { ANSWER_MEMBER } from "../translate/wrap-answer.ts";

/** The most places at which the JSON of an answer is looked for. */
const MAX_CANDIDATES = 64;
const FENCED = /```[^\n`]*\n([^`]*)```/g;

/**
 * Reads the events of a whole reply to a request with a schema: text around the JSON of an answer, such as a fence, is
 * left out. A reply without such JSON stays as it is. Both are losses. A choice that calls tools is not the answer yet.
 */
export function readAnswers(events: Event[], schema: Json, lose: Lose): Event[] {
  const answers = new Map<number, { indexes: number[]; text: string; calls: boolean }>();
  const choiceOf = new Map<number, number>();
  for (const event of events) {
    if (event.type === "open") {
      const choice = event.choice ?? 0;
      const answer = answers.get(choice) ?? { indexes: [], text: "", calls: false };
      answers.set(choice, answer);
      if (event.part.type === "call") answer.calls = true;
      if (event.part.type !== "text" || event.part.refusal) continue;
      answer.indexes.push(event.index);
      choiceOf.set(event.index, choice);
    } else if (event.type === "delta") {
      const answer = answers.get(choiceOf.get(event.index) ?? -1);
      if (answer) answer.text += event.text;
    }
  }
  let read = events;
  for (const [choice, { indexes, text, calls }] of answers) {
    if (calls || text.trim() === "" || fits(text, schema)) continue;
    const json = jsonIn(text, schema);
    const path = `/choices/${choice}`;
    if (json === undefined) lose(path, "unsupported", "the answer has no JSON of the schema");
    else {
      lose(path, "approximated", "text around the JSON of the answer is left out");
      read = withText(read, indexes, json);
    }
  }
  return read;
}

/** The events with one text in the place of several. Citations and tokens of the text before are not of this one. */
function withText(events: Event[], indexes: readonly number[], text: string): Event[] {
  return events.flatMap((event): Event[] => {
    if (!("index" in event) || !indexes.includes(event.index)) return [event];
    if (event.type === "open" && event.index === indexes[0])
      return [event, { type: "delta", index: event.index, text }];
    return event.type === "open" || event.type === "close" ? [event] : [];
  });
}

/** The text of the first JSON value of the schema's kind. */
function jsonIn(text: string, schema: Json): string | undefined {
  for (const candidate of candidatesIn(text)) {
    const json = candidate.trim();
    const inner = isOfObject(schema) ? undefined : unwrapped(json);
    if (inner !== undefined && fits(inner, schema)) return inner;
    if (fits(json, schema)) return json;
  }
  return undefined;
}

/** The answer in the object that was requested around an answer of another kind. */
function unwrapped(json: string): string | undefined {
  const value = parseJson(json);
  const isWrapped = isObject(value) && Object.keys(value).join() === ANSWER_MEMBER;
  return isWrapped ? memberText(json, ANSWER_MEMBER) : undefined;
}

function* candidatesIn(text: string): Generator<string> {
  for (const [, inside = ""] of text.matchAll(FENCED)) yield inside;
  let places = 0;
  for (let at = nextOpening(text, 0); at >= 0 && places < MAX_CANDIDATES; places++) {
    const end = valueEnd(text, at);
    const value = text.slice(at, end);
    yield value;
    at = nextOpening(text, parseJson(value) === undefined ? at + 1 : end);
  }
}

function nextOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[[{]/);
  return at < 0 ? at : from + at;
}

/** Checks whether a schema says at its top that it is one of an object. */
const isOfObject = (schema: Json): schema is JsonObject =>
  isObject(schema) &&
  (schema.type === "object" || (schema.type === undefined && isObject(schema.properties)));

/** Checks whether a text is JSON of the schema's kind, with the members that it requires. */
function fits(text: string, schema: Json): boolean {
  const value = parseJson(text);
  if (value === undefined) return false;
  if (!isOfObject(schema)) return !isObject(schema) || schema.type !== "array" || Array.isArray(value);
  const required = toArray(schema.required).filter((name) => typeof name === "string");
  return isObject(value) && required.every((name) => Object.hasOwn(value, name));
}
