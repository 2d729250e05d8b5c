import type { Call } from "./driver.ts";

/** A piece of a call in a stream of chat completions, where the SDK leaves it to its user to put them together. */
export interface Piece {
  index: number;
  id: string | undefined;
  name: string | undefined;
  args: string | undefined;
}

/** The calls that the pieces add up to. */
export function wholeCalls(pieces: readonly Piece[]): Call[] {
  const texts = new Map<number, { id: string; name: string; args: string }>();
  for (const { index, id, name, args } of pieces) {
    const before = texts.get(index) ?? { id: "", name: "", args: "" };
    texts.set(index, {
      id: before.id || (id ?? ""),
      name: before.name || (name ?? ""),
      args: before.args + (args ?? ""),
    });
  }
  return [...texts.values()].map(({ id, name, args }) => ({ id, name, args: JSON.parse(args) }));
}
