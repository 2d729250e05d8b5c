import type { Machine } from "../../../codec/machine.ts";
import { isObject, type JsonObject, parseJson } from "../../../json/json.ts";
import { FrameTooLong } from "../../../stream/frame-limit.ts";

/**
 * Reads a sequence of JSON objects from bytes, wherever reads split them. Text between two objects is skipped. Throws
 * `FrameTooLong` for an object of more than `limit` characters.
 */
export function readObjects(limit = 16 * 1024 * 1024): Machine<Uint8Array, JsonObject> {
  const decoder = new TextDecoder("utf-8");
  let held: string[] = [];
  let size = 0;
  let depth = 0;
  let quoted = false;
  // An escape may be the last character of a read.
  let escaped = false;
  const hold = (text: string): void => {
    size += text.length;
    if (size > limit) throw new FrameTooLong(limit);
    held.push(text);
  };
  const feed = (text: string): JsonObject[] => {
    const objects: JsonObject[] = [];
    let from = 0;
    let at = escaped && text !== "" ? 1 : 0;
    if (text !== "") escaped = false;
    while (at < text.length) {
      const pattern = quoted ? /["\\]/g : depth === 0 ? /\{/g : /["{}]/g;
      pattern.lastIndex = at;
      const mark = pattern.exec(text);
      if (!mark) break;
      at = mark.index + 1;
      if (mark[0] === "\\") {
        escaped = at >= text.length;
        at += 1;
      } else if (mark[0] === '"') quoted = !quoted;
      else if (mark[0] === "{") {
        if (depth === 0) from = mark.index;
        depth += 1;
      } else {
        depth -= 1;
        if (depth > 0) continue;
        hold(text.slice(from, at));
        const value = parseJson(held.join(""));
        if (isObject(value)) objects.push(value);
        held = [];
        size = 0;
      }
    }
    if (depth > 0) hold(text.slice(from));
    return objects;
  };
  return {
    step: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end: () => feed(decoder.decode()),
  };
}
