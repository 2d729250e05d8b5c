import { isObject, type Json, type JsonObject, parseJson, toArray, toObject, toText } from "../json/json.ts";

/** The longest text that is a message. */
const MAX_MESSAGE = 2_000;
const MAX_DEPTH = 6;

/** Members with the message of an error, the most specific first: servers nest and name them in many ways. */
const members = [
  "message",
  "msg",
  "detail",
  "error",
  "errors",
  "Message",
  "error_msg",
  "error_message",
  "errorMessage",
  "status_msg",
  "base_resp",
  "details",
  "reason",
  "description",
  "title",
];

/**
 * The words of an error body, in whatever shape a server writes it: text, records, lists of findings, JSON inside
 * text. The body's own JSON where no member has words; empty where there is nothing to read.
 */
export function wordsOf(body: Json | undefined): string {
  const words = read(body, 0);
  if (words !== "" || (!isObject(body) && !Array.isArray(body)) || Object.keys(body).length === 0)
    return words;
  return JSON.stringify(body).slice(0, MAX_MESSAGE);
}

function read(value: Json | undefined, depth: number): string {
  if (depth > MAX_DEPTH) return "";
  if (typeof value === "string") return readText(value.trim(), depth);
  if (Array.isArray(value)) {
    const all = value.map((item) => read(item, depth + 1)).filter((words) => words !== "");
    return [...new Set(all)].join("; ").slice(0, MAX_MESSAGE);
  }
  return isObject(value) ? readRecord(value, depth) : "";
}

/** Some servers pass the body of another on as text. */
function readText(text: string, depth: number): string {
  const inner = /^[[{]/.test(text) ? parseJson(text) : undefined;
  return (read(typeof inner === "object" ? inner : undefined, depth + 1) || text).slice(0, MAX_MESSAGE);
}

function readRecord(record: JsonObject, depth: number): string {
  const nested = isObject(record.error) ? read(record.error, depth + 1) : "";
  let words = nested;
  for (const key of members) if (words === "") words = read(record[key], depth + 1);
  const place = toArray(record.loc)
    .filter((step) => step !== "body")
    .join(".");
  if (place !== "" && words !== "") words = `${place}: ${words}`;
  // A router's own words say only that a provider refused.
  const raw = read(toText(toObject(record.metadata).raw), depth + 1);
  return raw === "" || words.includes(raw)
    ? words
    : `${words}${words === "" ? "" : ": "}${raw}`.slice(0, MAX_MESSAGE);
}
