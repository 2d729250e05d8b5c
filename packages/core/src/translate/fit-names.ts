import { each, type Machine } from "../codec/machine.ts";
import type { Spelling } from "../codec/provider-codec.ts";
import type { CallPart, Event, FunctionTool, Message, Part, ResultPart, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, parseObject, toObject } from "../json/json.ts";
import { keySpeller } from "./fit-keys.ts";
import { ignoreCopies, type TraceCopy, withParts } from "./origins.ts";
import { speller } from "./speller.ts";

/** The spellings of a target: a codec, or any value with these members. */
export interface Target {
  names: Spelling;
  ids: Spelling;
  /** Names of the parameters of a function. Default: any. */
  keys?: Spelling | undefined;
  freeform: boolean;
}

/** The one argument of the function that stands for a free-text tool. */
const INPUT = "input";
const inputSchema = (description: string | undefined): JsonObject => ({
  type: "object",
  properties: { [INPUT]: { type: "string", ...(description !== undefined && { description }) } },
  required: [INPUT],
});

/** Describes the grammar of free text to the model, for targets that do not enforce one. */
function describeGrammar(format: Json): string | undefined {
  const { type, grammar, ...flat } = toObject(format);
  const { syntax, definition } = grammar === undefined ? flat : toObject(grammar);
  if (type !== "grammar" || typeof definition !== "string") return undefined;
  return `Text of this grammar (${typeof syntax === "string" ? syntax : "lark"}):\n${definition}`;
}

/**
 * Respells tool names, their parameters and call ids as the target requires, and turns free-text tools into functions of
 * one string where it has none. `restore` undoes both in the reply; `restores` says whether there is anything to undo. It
 * also gives a call another id if the conversation or the reply has one with the same: some servers count calls anew in
 * each turn, and clients pair results with calls by ids alone. A call by a short name gets the whole one.
 */
export function fitNames(
  request: TextRequest,
  target: Target,
  lose: Lose,
  traceCopy: TraceCopy = ignoreCopies,
): { request: TextRequest; restores: boolean; restore(): Machine<Event, Event> } {
  const names = speller(target.names);
  const ids = speller(target.ids);
  const keys = keySpeller(target.keys);
  const offered = new Set<string>();
  const free = new Set<string>();
  const callIds = new Set<string>();
  const fitTool = (tool: FunctionTool, path: string): FunctionTool => {
    const { freeform, ...rest } = tool;
    const name = names.spell(tool.name);
    offered.add(tool.name);
    if (freeform) free.add(tool.name);
    if (!freeform && isObject(tool.schema))
      return { ...tool, name, schema: keys.schema(tool.name, tool.schema) };
    if (!freeform || target.freeform) return { ...tool, name };
    const grammar = describeGrammar(freeform.format ?? null);
    if (grammar !== undefined)
      lose(`${path}/freeform/format`, "approximated", "the grammar is described to the model");
    else if (freeform.format !== undefined) lose(`${path}/freeform/format`, "unsupported");
    return { ...rest, name, schema: inputSchema(grammar) };
  };
  const fitCall = (call: CallPart): CallPart => {
    const { freeform, ...rest } = call;
    callIds.add(call.id);
    const spelled = { id: ids.spell(call.id), name: names.spell(call.name) };
    return freeform && !target.freeform
      ? { ...rest, ...spelled, arguments: JSON.stringify({ [INPUT]: call.arguments }) }
      : { ...call, ...spelled, arguments: keys.spell(call.name, call.arguments) };
  };
  const fitResult = (result: ResultPart): ResultPart => {
    const { freeform, ...rest } = result;
    const fitted: ResultPart = { ...rest, id: ids.spell(result.id) };
    if (result.name !== undefined) fitted.name = names.spell(result.name);
    if (freeform && target.freeform) fitted.freeform = true;
    return fitted;
  };
  const fitPart = (part: Part): Part => {
    if (part.type !== "call" && part.type !== "result") return part;
    const fitted = part.type === "call" ? fitCall(part) : fitResult(part);
    traceCopy(fitted, part);
    return fitted;
  };
  const fitMessage = (message: Message): Message => withParts(message, message.parts.map(fitPart), traceCopy);
  // Tools come first, so that a valid name of a tool is not given to another name in the history.
  const tools = request.tools?.map((tool, i) =>
    tool.type === "function" ? fitTool(tool, `/tools/${i}`) : tool,
  );
  const choice = request.toolChoice;
  const fitted: TextRequest = { ...request, messages: request.messages.map(fitMessage) };
  if (tools) fitted.tools = tools;
  if (choice?.names) fitted.toolChoice = { ...choice, names: choice.names.map(names.spell) };
  const restores = names.hasChanges() || free.size > 0 || keys.hasChanges();
  const toolOf = (name: string): string => wholeName(names.unspell(name), offered);
  return { request: fitted, restores, restore: () => restorer(toolOf, { free, keys }, callIds) };
}

/**
 * The name of a tool that a model called by the last part of it: some leave out the namespace, as in `click` for
 * `mcp__browser__click`. Any other name stays.
 */
function wholeName(name: string, offered: ReadonlySet<string>): string {
  if (name === "" || offered.has(name)) return name;
  const [whole, another] = [...offered].filter((one) => one.endsWith(`__${name}`));
  return whole === undefined || another !== undefined ? name : whole;
}

/** Gives an id that no call has: the one given, or one made of it. Each id has the number of its last namesake. */
function uniqueId(id: string, namesakes: Map<string, number>): string {
  let n = namesakes.get(id) ?? 0;
  let unique = id;
  while (namesakes.has(unique)) unique = `${id}_${++n}`;
  namesakes.set(id, Math.max(n, 1));
  if (unique !== id) namesakes.set(unique, 1);
  return unique;
}

function restorer(
  toolOf: (name: string) => string,
  { free, keys }: { free: ReadonlySet<string>; keys: ReturnType<typeof keySpeller> },
  callIds: ReadonlySet<string>,
): Machine<Event, Event> {
  const namesakes = new Map([...callIds].map((id) => [id, 1]));
  // The input of a free-text tool arrives as a string inside JSON, and parameters may be cut between two fragments: both
  // can be read once they are complete.
  const held = new Map<number, { text: string; read(text: string): string }>();
  return each<Event, Event>((event) => {
    if (event.type === "open" && event.part.type === "call") {
      const { id } = event.part;
      const name = toolOf(event.part.name);
      const part = { ...event.part, id: uniqueId(id, namesakes), name };
      if (!event.part.freeform && free.has(name)) {
        held.set(event.index, { text: "", read: readFreeText });
        return [{ ...event, part: { ...part, freeform: true } }];
      }
      if (keys.respells(name)) held.set(event.index, { text: "", read: (text) => keys.unspell(name, text) });
      return [{ ...event, part }];
    }
    if (event.type !== "delta" && event.type !== "close") return [event];
    const { index } = event;
    const input = held.get(index);
    if (input === undefined) return [event];
    if (event.type === "delta") {
      input.text += event.text;
      return [];
    }
    held.delete(index);
    const whole = input.read(input.text);
    return whole === "" ? [event] : [{ type: "delta", index, text: whole }, event];
  });
}

const readFreeText = (text: string): string => readInput(text) ?? readCutInput(text) ?? text;

/** The free text in complete arguments: the member that was declared, or the only one if it is a string. */
function readInput(text: string): string | undefined {
  const values = parseObject(text) ?? {};
  const names = Object.keys(values);
  const input = values[names.length === 1 ? (names[0] as string) : INPUT];
  return typeof input === "string" ? input : undefined;
}

/** Arguments that end before their first string begins. */
const BEFORE_STRING = /^\s*\{\s*(?:"[^"\\]*(?:"\s*(?::\s*)?)?)?$/;
const STRING_START = /^\s*\{\s*"[^"\\]*"\s*:\s*"/;
/** An escape without its end. */
const HALF_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/;

/** The string without its closing quote and what follows; all of it if it is not closed. */
function withoutClosingQuote(written: string): string {
  const end = written.trimEnd();
  const inside = end.endsWith("}") ? end.slice(0, -1).trimEnd() : end;
  return inside.endsWith('"') ? inside.slice(0, -1) : written;
}

/** The readable part of the first string in JSON that was cut; `undefined` for any other text. */
function readCutInput(text: string): string | undefined {
  if (text === "" || BEFORE_STRING.test(text)) return "";
  const begun = STRING_START.exec(text);
  if (!begun) return undefined;
  const written = text.slice(begun[0].length);
  for (const candidate of [written, written.replace(HALF_ESCAPE, ""), withoutClosingQuote(written)])
    try {
      return JSON.parse(`"${candidate}"`) as string;
    } catch {
      // The text is cut within an escape, or text follows the string.
    }
  return undefined;
}
