import type { CallPart, Event } from "../../ir/index.ts";
import { GrowingObject } from "../../json/growing-object.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  parseJson,
  toObject,
  toText,
} from "../../json/json.ts";
import { argumentsOf, readCallHead } from "./calls.ts";

interface Call {
  /** Absent while the name is unknown, because a part cannot be opened without one. */
  index?: number;
  id: string;
  name: string;
  arguments: GrowingObject;
  head: JsonObject;
  freeform: boolean;
  closed: boolean;
}

/** Checks whether a fragment has the record that this wire puts around the name and the arguments of a call. */
const hasRecord = (wire: JsonObject): boolean => isObject(wire.custom) || isObject(wire.function);

/**
 * The record with the name and the arguments of a call. Servers of several vendors' models write it as one of those
 * vendors does: in `tool_use`, or with its members at the top of the fragment.
 */
function callBody(wire: JsonObject): JsonObject {
  if (hasRecord(wire)) return toObject(wire.custom ?? wire.function);
  return isObject(wire.tool_use) ? wire.tool_use : wire;
}

const isBroken = (text: string): boolean => text.trim() !== "" && parseJson(text) === undefined;

/**
 * Puts the calls of one choice together from fragments. Servers leave out ids, names and positions, repeat or change
 * them, or use one position twice. `start` opens a part; `prefix` begins the ids of calls that have none.
 */
export function readFragments(
  start: (part: Omit<CallPart, "arguments">) => number,
  prefix: () => string,
  emit: (event: Event) => void,
) {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();

  const complete = (call: Call): void => {
    if (call.closed) return;
    call.closed = true;
    if (call.index === undefined) launch(call);
    const index = call.index as number;
    // A call without arguments gets an empty object.
    if (!call.freeform && call.arguments.text.trim() === "") emit({ type: "delta", index, text: "{}" });
    emit({ type: "close", index });
  };

  const launch = (call: Call): void => {
    // Fragments may interleave, so calls stay open; what is a whole object has no more to come.
    for (const other of calls)
      if (other.index !== undefined && !other.closed && !other.freeform && other.arguments.isWhole())
        complete(other);
    const fallback = `${prefix()}_${calls.indexOf(call)}`;
    const part: Omit<CallPart, "arguments"> = {
      type: "call",
      ...readCallHead(call.head, fallback),
      name: call.name,
      ...(call.freeform && { freeform: true }),
    };
    call.index = start(part);
    const { text } = call.arguments;
    if (text !== "") emit({ type: "delta", index: call.index, text });
  };

  const find = (key: number | undefined, id: string, name: string, position: number): Call | undefined => {
    const last = calls.at(-1);
    if (key !== undefined) {
      const call = byIndex.get(key);
      if (call) return id === "" || call.id === "" || call.id === id || name === "" ? call : undefined;
      // Some servers count on in the middle of a call: a piece without a head belongs to the one that is not whole.
      const isTail = id === "" && name === "" && last !== undefined && last.name !== "";
      return isTail && !last.closed && !last.arguments.isWhole() ? last : undefined;
    }
    const known = id === "" ? undefined : calls.find((call) => call.id === id);
    // Some servers give each fragment a new id. A call begins with a name.
    if (known || (id !== "" && (name !== "" || position > 0))) return known;
    const fresh = position > 0 || (name !== "" && (name !== last?.name || last.arguments.isWhole()));
    return fresh ? undefined : last;
  };

  const fragment = (json: Json, position: number): void => {
    const wire = toObject(json);
    const freeform = isObject(wire.custom);
    const body = callBody(wire);
    const id = toText(wire.id) || toText(body.tool_use_id);
    const name = toText(body.name);
    const key = numberOf(wire.index);
    let call = find(key, id, name, position);
    if (!call) {
      const head = hasRecord(wire) ? wire : { id };
      call = { id, name, arguments: new GrowingObject(), head, freeform, closed: false };
      calls.push(call);
    }
    if (key !== undefined) byIndex.set(key, call);
    if (call.closed) return;
    if (call.index === undefined) {
      call.name ||= name;
      call.freeform ||= freeform;
      if (call.id === "" && id !== "") {
        call.id = id;
        call.head = { ...wire, ...call.head, id };
      }
    }
    const value = freeform ? body.input : (body.arguments ?? body.input);
    const text = isObject(value) ? argumentsOf(value) : toText(value);
    call.arguments.add(text);
    if (call.index === undefined) {
      if (call.name !== "") launch(call);
    } else if (text !== "") emit({ type: "delta", index: call.index, text });
  };

  return {
    step: fragment,
    /** Closes what is open. */
    end(): void {
      for (const call of calls) complete(call);
    },
    any: () => calls.length > 0,
    /** Checks whether a call broke off within its arguments. */
    isCut: () => calls.some((call) => !call.closed && !call.freeform && isBroken(call.arguments.text)),
  };
}
