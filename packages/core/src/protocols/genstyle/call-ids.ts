import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";

interface Call {
  node: JsonObject;
  /** Empty until one is found for it. */
  id: string;
  answered: boolean;
}

/** A call or a result, and whether user text came since the one before it. */
interface Node {
  node: JsonObject;
  call: boolean;
  spoke: boolean;
}

/** The calls and results of the contents, in order. */
function nodesOf(contents: Json[]): Node[] {
  const nodes: Node[] = [];
  let spoke = false;
  for (const content of contents.map(toObject)) {
    const before = nodes.length;
    const parts = toArray(content.parts);
    for (const { functionCall, functionResponse } of parts.map(toObject)) {
      const call = isObject(functionCall);
      const node = call ? functionCall : functionResponse;
      if (!isObject(node)) continue;
      nodes.push({ node, call, spoke });
      spoke = false;
    }
    const user = content.role !== "model" && content.role !== "assistant";
    if (user && parts.length > 0 && nodes.length === before) spoke = true;
  }
  return nodes;
}

/**
 * Ids for the calls and results of a conversation, by their node on the wire. Most calls here have none; they get
 * ids of their own. Within a step a result belongs to the call with its id, else to the next one of its name, else
 * to the next one.
 */
export function pairIds(contents: Json[]): Map<JsonObject, string> {
  const ids = new Map<JsonObject, string>();
  const nodes = nodesOf(contents);
  const taken = new Set(nodes.map(({ node }) => toText(node.id)));
  let count = 0;
  const fresh = (): string => {
    let id = `call_${count++}`;
    while (taken.has(id)) id = `call_${count++}`;
    return id;
  };
  let calls: Call[] = [];
  let answers: JsonObject[] = [];
  const settle = (): void => {
    pair(calls, answers, ids, fresh);
    calls = [];
    answers = [];
  };
  for (const { node, call, spoke } of nodes) {
    // A call after results begins the next step, and so does one after user text: the calls before that text
    // were given up.
    if (call && (spoke || answers.length > 0)) settle();
    if (call) calls.push({ node, id: toText(node.id), answered: false });
    else answers.push(node);
  }
  settle();
  return ids;
}

function pair(calls: Call[], answers: JsonObject[], ids: Map<JsonObject, string>, fresh: () => string): void {
  const rounds: ((id: string, answer: JsonObject, call: Call) => boolean)[] = [
    (id, _, call) => id !== "" && call.id === id,
    (id, answer, call) => answer.name === call.node.name && (id === "" || call.id === ""),
    (id, _, call) => id === "" || call.id === "",
  ];
  const paired = new Map<JsonObject, Call>();
  let open = answers;
  for (const fits of rounds)
    open = open.filter((answer) => {
      const id = toText(answer.id);
      const call = calls.find((candidate) => !candidate.answered && fits(id, answer, candidate));
      if (!call) return true;
      call.answered = true;
      // Some clients name only the answers.
      call.id ||= id;
      paired.set(answer, call);
      return false;
    });
  for (const call of calls) {
    call.id ||= fresh();
    ids.set(call.node, call.id);
  }
  for (const answer of answers) ids.set(answer, paired.get(answer)?.id ?? (toText(answer.id) || fresh()));
}
