import type { Extra, Message, Part, TextRequest, Tool, UserMessage } from "../ir/index.ts";
import { isObject } from "../json/json.ts";

/** The characters of a token, about. */
const CHARACTERS_PER_TOKEN = 4;

/** A part of a message, by the indices of both. */
type Place = readonly [message: number, part: number];

/**
 * Marks the prefixes of a prompt that later requests repeat, for a model that caches only marked ones of at least `least`
 * tokens: the tools, the system text, and the last two turns of the user, of which the earlier one reads what the
 * previous request has written. Writing to a cache costs extra, so only conversations that are likely to go on are
 * marked: those with tools or with a turn of the model. A request with the caller's own marks is not changed. `member`
 * is the wire's member for marks.
 */
export function markCache(request: TextRequest, least: number, member: string): TextRequest {
  const { tools = [], messages } = request;
  const isOngoing = tools.length > 0 || messages.some(({ role }) => role === "assistant");
  if (!isOngoing || hasMarks(request, member)) return request;
  const needed = least * CHARACTERS_PER_TOKEN;
  const lastTool = tools.findLastIndex(({ type }) => type === "function");
  const toolSize = sum(tools, sizeOfTool);
  const lead = messages.findIndex(({ role }) => role !== "system");
  const ends = [lastMarkable(messages, 0, lead), ...turnEnds(messages).slice(-2)];
  const places = new Map<number, number>();
  for (const place of ends) if (place && toolSize + sizeUpTo(messages, place) >= needed) places.set(...place);
  const marksTools = lastTool >= 0 && toolSize >= needed;
  if (places.size === 0 && !marksTools) return request;
  return {
    ...request,
    ...(marksTools && { tools: tools.map((tool, i) => (i === lastTool ? { ...tool, cache: {} } : tool)) }),
    messages: messages.map((message, i) => {
      const marked = places.get(i);
      if (marked === undefined) return message;
      const parts = (message.parts as Part[]).map((part, k) =>
        k === marked ? { ...part, cache: {} } : part,
      );
      return { ...message, parts } as Message;
    }),
  };
}

/** The ends of the user's turns, each of one or more messages. Turns that hold nothing to mark are left out. */
function turnEnds(messages: readonly Message[]): Place[] {
  const places: Place[] = [];
  let from = -1;
  messages.forEach(({ role }, i) => {
    if (role !== "user") return;
    if (messages[i - 1]?.role !== "user") from = i;
    const place = messages[i + 1]?.role === "user" ? undefined : lastMarkable(messages, from, i + 1);
    if (place) places.push(place);
  });
  return places;
}

/** The last part from message `from` to before message `to` that can be marked: empty text cannot. */
function lastMarkable(messages: readonly Message[], from: number, to: number): Place | undefined {
  for (let i = to - 1; i >= from; i--) {
    const part = ((messages[i] as UserMessage).parts as Part[]).findLastIndex(
      (one) => one.type === "result" || one.type === "media" || (one.type === "text" && one.text !== ""),
    );
    if (part >= 0) return [i, part];
  }
  return undefined;
}

/** Checks whether a caller has set marks; those that the canonical request cannot hold are the wire's `member`. */
function hasMarks(request: TextRequest, member: string): boolean {
  const isExtra = ({ extra }: { extra?: Extra }): boolean => extra?.fields[member] !== undefined;
  const isMarked = (node: Tool | Part): boolean => {
    if (node.type === "opaque") return isObject(node.value) && node.value[member] !== undefined;
    if ("cache" in node && node.cache !== undefined) return true;
    return isExtra(node) || (node.type === "result" && node.parts.some(isMarked));
  };
  const { tools = [], messages } = request;
  const isIn = (message: Message): boolean => isExtra(message) || (message.parts as Part[]).some(isMarked);
  return isExtra(request) || tools.some(isMarked) || messages.some(isIn);
}

/** The characters of a prompt up to a place, without its tools and files. */
const sizeUpTo = (messages: readonly Message[], [message, part]: Place): number =>
  sum(messages.slice(0, message), ({ parts }) => sum(parts, sizeOf)) +
  sum((messages[message] as Message).parts.slice(0, part + 1), sizeOf);

function sizeOf(part: Part): number {
  if (part.type === "text" || part.type === "reasoning") return part.text.length;
  if (part.type === "call") return part.name.length + part.arguments.length;
  return part.type === "result" ? sum(part.parts, sizeOf) : 0;
}

const sizeOfTool = (tool: Tool): number =>
  tool.type === "opaque"
    ? 0
    : tool.name.length + (tool.description?.length ?? 0) + (JSON.stringify(tool.schema)?.length ?? 0);

const sum = <Of>(all: readonly Of[], size: (one: Of) => number): number =>
  all.reduce((total, one) => total + size(one), 0);
