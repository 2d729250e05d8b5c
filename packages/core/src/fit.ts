import type { Spelling } from "./codec.ts";
import type { Event, Message, Part, TextRequest, Tool } from "./ir/index.ts";
import { parseObject } from "./json.ts";
import type { Lose } from "./loss.ts";
import { each, type Machine } from "./machine.ts";

/** What a target can spell: a codec, or anything that says as much. */
export interface Target {
  names: Spelling;
  ids: Spelling;
  freeform: boolean;
}

/** The one argument of the function that stands for a free-text tool. */
const INPUT = "input";

/**
 * The request in spellings that the target has: tool names and call ids that it can write, free-text tools as
 * functions of one string where it knows none. `restore` undoes names and free text in the reply.
 */
export function fit(
  request: TextRequest,
  target: Target,
  lose: Lose,
): { request: TextRequest; restore(): Machine<Event, Event> } {
  const names = speller(target.names);
  const ids = speller(target.ids);
  const free = new Set<string>();
  const tools = request.tools?.map((tool, i): Tool => {
    if (tool.type !== "function") return tool;
    const name = names.spell(tool.name);
    if (!tool.freeform || target.freeform) return name === tool.name ? tool : { ...tool, name };
    free.add(name);
    if (tool.freeform.format !== undefined) lose(`/tools/${i}/freeform/format`, "unsupported");
    const { freeform: _, ...rest } = tool;
    const schema = { type: "object", properties: { [INPUT]: { type: "string" } }, required: [INPUT] };
    return { ...rest, name, schema };
  });
  const fitPart = <P extends Part>(part: P): P => {
    if (part.type === "call") {
      const plain = !part.freeform || target.freeform;
      const { freeform: _, ...rest } = part;
      const call = plain ? part : { ...rest, arguments: JSON.stringify({ [INPUT]: part.arguments }) };
      return { ...call, id: ids.spell(part.id), name: names.spell(part.name) };
    }
    if (part.type === "result") {
      const { freeform: _, ...rest } = part;
      const result = target.freeform ? part : rest;
      const name = part.name === undefined ? {} : { name: names.spell(part.name) };
      return { ...(result as P), id: ids.spell(part.id), ...name };
    }
    return part;
  };
  const messages = request.messages.map((message): Message => {
    if (!message.parts.some((part) => part.type === "call" || part.type === "result")) return message;
    return { ...message, parts: message.parts.map((part) => fitPart(part as Part)) } as Message;
  });
  const choice = request.toolChoice;
  const fitted: TextRequest = { ...request, messages };
  if (tools) fitted.tools = tools;
  if (choice?.names) fitted.toolChoice = { ...choice, names: choice.names.map(names.spell) };
  return { request: fitted, restore: () => restorer(names.unspell, free) };
}

/** Names as the target spells them; the same name always the same way, two names never alike. */
function speller({ pattern, max }: Spelling) {
  const spelled = new Map<string, string>();
  const original = new Map<string, string>();
  const fits = (name: string): boolean => name.length <= max && pattern.test(name);
  return {
    spell(name: string): string {
      const known = spelled.get(name);
      if (known !== undefined) return known;
      let short = name;
      if (!fits(name) || original.has(name)) {
        const clean = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^[^A-Za-z_]/, "_");
        const mark = `_${hash(name)}`;
        short = clean.slice(0, max - mark.length) + mark;
        for (let n = 2; original.has(short); n++)
          short = `${clean.slice(0, max - mark.length - 3)}_${n}${mark}`;
      }
      spelled.set(name, short);
      original.set(short, name);
      return short;
    },
    unspell: (name: string): string => original.get(name) ?? name,
  };
}

/** FNV-1a: short, stable and enough to keep the names of one request apart. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(36);
}

function restorer(unspell: (name: string) => string, free: ReadonlySet<string>): Machine<Event, Event> {
  // The text of a free-text tool is one string inside JSON: it is readable only when it is complete.
  const held = new Map<number, string>();
  return each((event) => {
    if (event.type === "open" && event.part.type === "call") {
      const part = { ...event.part, name: unspell(event.part.name) };
      if (!free.has(event.part.name)) return [{ ...event, part }];
      held.set(event.index, "");
      return [{ ...event, part: { ...part, freeform: true } }];
    }
    if (event.type !== "delta" && event.type !== "close") return [event];
    const text = held.get(event.index);
    if (text === undefined) return [event];
    if (event.type === "delta") {
      held.set(event.index, text + event.text);
      return [];
    }
    held.delete(event.index);
    const input = parseObject(text)?.[INPUT];
    return [{ type: "delta", index: event.index, text: typeof input === "string" ? input : text }, event];
  });
}
