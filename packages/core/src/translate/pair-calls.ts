import type { CallPart, Message, Part, ResultPart, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { join } from "../ir/turns.ts";
import { type Moved, noMove } from "./origins.ts";

/** A message and its path. */
interface LocatedMessage {
  message: Message;
  path: string;
}

/** A call of one step, and the answer found for it. */
interface Pair {
  call: CallPart;
  callPath: string;
  result?: ResultPart;
  resultPath?: string;
}

/**
 * The request with calls and results in pairs, as every upstream demands: each step's results follow it at once,
 * at the head of one user message, one for each call and in the order of the calls; no two calls share an id.
 * A result without its call becomes user text; the last of several results for one call counts; a call without a
 * result gets a failed one that says so. Idempotent.
 */
export function repair(request: TextRequest, lose: Lose, moved: Moved = noMove): TextRequest {
  const { messages } = request;
  const paired = (part: Part): boolean => part.type === "call" || part.type === "result";
  if (!messages.some((message) => message.parts.some(paired))) return request;
  const out: Message[] = [];
  const ids = new Set<string>();
  const queue = messages.map((message, i): LocatedMessage => ({ message, path: `/messages/${i}` }));
  while (queue.length > 0) {
    const first = queue.shift() as LocatedMessage;
    const pairs = pairsOf(first);
    if (pairs.length === 0) {
      keep(first, unmatched(first, pairs, lose), out, lose, moved);
      continue;
    }
    let turn = first.message;
    // Consecutive model messages are one step, because nothing may come between a call and its result.
    for (const next of takeWhile(queue, (message) => message.role === "assistant")) {
      for (const pair of pairsOf(next)) pairs.push(pair);
      turn = joined(turn, next, lose, moved);
    }
    const behind = takeWhile(queue, (message) => message.role !== "assistant");
    const rests = behind.map((located) => unmatched(located, pairs, lose));
    const fresh = makeIdsUnique(pairs, ids, moved);
    const parts = turn.parts.map((part) => fresh.get(part) ?? part);
    const results = pairs.map((pair) => (pair.result ? unnamed(pair, moved) : unanswered(pair, lose, moved)));
    out.push(withParts(turn, parts, moved));
    if (behind[0]?.message.role !== "user") out.push({ role: "user", parts: results });
    behind.forEach((located, i) => {
      const rest = rests[i] as Part[];
      if (i > 0 || located.message.role !== "user") keep(located, rest, out, lose, moved);
      else out.push(withParts(located.message, [...results, ...rest], moved));
    });
  }
  return { ...request, messages: out };
}

function takeWhile(queue: LocatedMessage[], test: (message: Message) => boolean): LocatedMessage[] {
  const end = queue.findIndex(({ message }) => !test(message));
  return queue.splice(0, end < 0 ? queue.length : end);
}

const pairsOf = ({ message, path }: LocatedMessage): Pair[] =>
  message.parts.flatMap((call, i) =>
    call.type === "call" ? [{ call, callPath: `${path}/parts/${i}` }] : [],
  );

function withParts(message: Message, parts: Part[], moved: Moved): Message {
  if (parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i]))
    return message;
  const copy = { ...message, parts } as Message;
  moved(copy, message);
  return copy;
}

/** Keeps the message with its remaining parts, or drops it if there are none. */
function keep(
  { message, path }: LocatedMessage,
  rest: Part[],
  out: Message[],
  lose: Lose,
  moved: Moved,
): void {
  if (rest.length > 0 || message.parts.length === 0) out.push(withParts(message, rest, moved));
  else {
    if (message.name !== undefined) lose(`${path}/name`, "unsupported");
    if (message.extra) lose(`${path}/extra`, "unsupported");
  }
}

function joined(first: Message, { message, path }: LocatedMessage, lose: Lose, moved: Moved): Message {
  if (message.name !== undefined && message.name !== first.name) lose(`${path}/name`, "unsupported");
  if (message.extra && first.extra && message.extra.protocol !== first.extra.protocol)
    lose(`${path}/extra`, "unsupported");
  const both = join(first, message);
  moved(both, first);
  return both;
}

/** The parts without the results that found their call among `pairs`. */
function unmatched({ message, path }: LocatedMessage, pairs: Pair[], lose: Lose): Part[] {
  return message.parts.flatMap((part, i): Part[] => {
    if (part.type !== "result") return [part];
    const resultPath = `${path}/parts/${i}`;
    const matching = pairs.filter((pair) => pair.call.id === part.id);
    const pair = matching.find((candidate) => !candidate.result) ?? matching.at(-1);
    if (!pair) {
      lose(resultPath, "approximated", `no call has the id ${part.id}; its result became user text`);
      return orphan(part);
    }
    if (pair.resultPath !== undefined)
      lose(pair.resultPath, "unsupported", "a call has one result; the last one is kept");
    pair.result = part;
    pair.resultPath = resultPath;
    return [];
  });
}

/** Gives calls with an id that was used before one of their own, and their results with them. */
function makeIdsUnique(pairs: Pair[], ids: Set<string>, moved: Moved): Map<Part, CallPart> {
  const fresh = new Map<Part, CallPart>();
  for (const pair of pairs) {
    let { id } = pair.call;
    for (let n = 2; ids.has(id); n++) id = `${pair.call.id}_${n}`;
    ids.add(id);
    if (id === pair.call.id) continue;
    const call = { ...pair.call, id };
    moved(call, pair.call);
    fresh.set(pair.call, call);
    pair.call = call;
    if (!pair.result) continue;
    const result = { ...pair.result, id };
    moved(result, pair.result);
    pair.result = result;
  }
  return fresh;
}

/** The result without a name that only repeats its call's: few wires have a place for it. */
function unnamed({ call, result }: Pair, moved: Moved): ResultPart {
  const { name, ...plain } = result as ResultPart;
  if (name === undefined || name !== call.name) return result as ResultPart;
  moved(plain, result as ResultPart);
  return plain;
}

function unanswered({ call, callPath }: Pair, lose: Lose, moved: Moved): ResultPart {
  lose(
    callPath,
    "approximated",
    `the call ${call.id} of ${call.name} has no result; a failed one is inserted`,
  );
  const result: ResultPart = {
    type: "result",
    id: call.id,
    parts: [{ type: "text", text: "No result." }],
    failed: true,
    ...(call.freeform && { freeform: true }),
  };
  moved(result, call);
  return result;
}

/** The rest of a result without its call. */
function orphan(result: ResultPart): Part[] {
  const parts = result.parts.filter((part) => part.type !== "text" || part.text !== "");
  return parts.length > 0 ? parts : [{ type: "text", text: "(empty tool result)" }];
}
