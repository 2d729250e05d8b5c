import type { CallPart, Message, Part, ResultPart, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { join } from "../ir/turns.ts";
import { ignoreCopies, type TraceCopy, withParts } from "./origins.ts";

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
 * Pairs calls with their results as every provider requires: the results of a step stand at the head of the user message
 * after it, one for each call and in the order of the calls, and call ids are unique. A result without a call becomes
 * user text, the last of several results for a call counts, and a call without a result gets a failed one. Idempotent.
 */
export function pairCalls(
  request: TextRequest,
  lose: Lose,
  traceCopy: TraceCopy = ignoreCopies,
): TextRequest {
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
      pushRest(first, assignResults(first, pairs, lose), out, lose, traceCopy);
      continue;
    }
    let turn = first.message;
    // Consecutive model messages are one step, because nothing may come between a call and its result.
    for (const next of takeWhile(queue, (message) => message.role === "assistant")) {
      for (const pair of pairsOf(next)) pairs.push(pair);
      turn = joinMessages(turn, next, lose, traceCopy);
    }
    const behind = takeWhile(queue, (message) => message.role !== "assistant");
    const rests = behind.map((located) => assignResults(located, pairs, lose));
    const fresh = makeIdsUnique(pairs, ids, traceCopy);
    const parts = turn.parts.map((part) => fresh.get(part) ?? part);
    const results = pairs.map((pair) =>
      pair.result ? withoutRepeatedName(pair, traceCopy) : missingResult(pair, lose, traceCopy),
    );
    out.push(withParts(turn, parts, traceCopy));
    if (behind[0]?.message.role !== "user") out.push({ role: "user", parts: results });
    behind.forEach((located, i) => {
      const rest = rests[i] as Part[];
      if (i > 0 || located.message.role !== "user") pushRest(located, rest, out, lose, traceCopy);
      else out.push(withParts(located.message, [...results, ...rest], traceCopy));
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

/** Adds the message with its remaining parts to `out`, or drops it if there are none. */
function pushRest(
  { message, path }: LocatedMessage,
  rest: Part[],
  out: Message[],
  lose: Lose,
  traceCopy: TraceCopy,
): void {
  if (rest.length > 0 || message.parts.length === 0) out.push(withParts(message, rest, traceCopy));
  else {
    if (message.name !== undefined) lose(`${path}/name`, "unsupported");
    if (message.extra) lose(`${path}/extra`, "unsupported");
  }
}

function joinMessages(
  first: Message,
  { message, path }: LocatedMessage,
  lose: Lose,
  traceCopy: TraceCopy,
): Message {
  if (message.name !== undefined && message.name !== first.name) lose(`${path}/name`, "unsupported");
  if (message.extra && first.extra && message.extra.protocol !== first.extra.protocol)
    lose(`${path}/extra`, "unsupported");
  const both = join(first, message);
  traceCopy(both, first);
  return both;
}

/** Assigns the results of a message to their calls among `pairs`, and returns its other parts. */
function assignResults({ message, path }: LocatedMessage, pairs: Pair[], lose: Lose): Part[] {
  return message.parts.flatMap((part, i): Part[] => {
    if (part.type !== "result") return [part];
    const resultPath = `${path}/parts/${i}`;
    const matching = pairs.filter((pair) => pair.call.id === part.id);
    const pair = matching.find((candidate) => !candidate.result) ?? matching.at(-1);
    if (!pair) {
      lose(resultPath, "approximated", `no call has the id ${part.id}; its result became user text`);
      return orphanContent(part);
    }
    if (pair.resultPath !== undefined)
      lose(pair.resultPath, "unsupported", "a call has one result; the last one is kept");
    pair.result = part;
    pair.resultPath = resultPath;
    return [];
  });
}

/** Gives calls that reuse an id, and their results, a new one. */
function makeIdsUnique(pairs: Pair[], ids: Set<string>, traceCopy: TraceCopy): Map<Part, CallPart> {
  const fresh = new Map<Part, CallPart>();
  for (const pair of pairs) {
    let { id } = pair.call;
    for (let n = 2; ids.has(id); n++) id = `${pair.call.id}_${n}`;
    ids.add(id);
    if (id === pair.call.id) continue;
    const call = { ...pair.call, id };
    traceCopy(call, pair.call);
    fresh.set(pair.call, call);
    pair.call = call;
    if (!pair.result) continue;
    const result = { ...pair.result, id };
    traceCopy(result, pair.result);
    pair.result = result;
  }
  return fresh;
}

/** The result without a name that repeats its call's, because few wires have a place for it. */
function withoutRepeatedName({ call, result }: Pair, traceCopy: TraceCopy): ResultPart {
  const { name, ...plain } = result as ResultPart;
  if (name === undefined || name !== call.name) return result as ResultPart;
  traceCopy(plain, result as ResultPart);
  return plain;
}

function missingResult({ call, callPath }: Pair, lose: Lose, traceCopy: TraceCopy): ResultPart {
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
  traceCopy(result, call);
  return result;
}

/** The content of a result whose call is missing. */
function orphanContent(result: ResultPart): Part[] {
  const parts = result.parts.filter((part) => part.type !== "text" || part.text !== "");
  return parts.length > 0 ? parts : [{ type: "text", text: "(empty tool result)" }];
}
