import type { ByteRange } from "./objects.ts";

/**
 * The single range that a `Range` header requests, limited to an object of `size` bytes. `undefined` if the whole
 * object is to be sent (no header, several ranges, another unit, a malformed one), `"outside"` if it lies beyond the
 * object.
 */
export function readRange(header: string | null, size: number): ByteRange | "outside" | undefined {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? "");
  if (!match) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "outside" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "outside" : { start, end };
}
