/** Colours by what series mean, as classes of the style. */

/** The colours for names; one more is for the sum of all others. */
const SLOTS = 6;
const OTHERS = `s${SLOTS}`;

/** Each outcome has a colour of its own, wherever it is shown. */
const OUTCOMES: Record<string, string> = {
  succeeded: "outcome-succeeded",
  failed: "outcome-failed",
  aborted: "outcome-aborted",
  cancelled: "outcome-cancelled",
  refused: "outcome-refused",
};

/** The colours that names had, by what they are names of, as long as the page is open. */
export type ColorMemory = Map<string, Map<string, number>>;
const page: ColorMemory = new Map();

const hash = (name: string): number => {
  let value = 0;
  for (const letter of name) value = (value * 31 + letter.charCodeAt(0)) % 65_521;
  return value;
};

/**
 * The colours of series by their names, `undefined` being the sum of others. A name keeps its colour when others are
 * filtered out; a new one takes a colour that no other name has, as long as there is one.
 */
export function tonesOf(
  names: readonly (string | undefined)[],
  by: string | undefined,
  memory: ColorMemory = page,
): string[] {
  if (by === "status") return names.map((name) => OUTCOMES[name ?? ""] ?? OTHERS);
  const known = memory.get(by ?? "") ?? new Map<string, number>();
  memory.set(by ?? "", known);
  const usedSlots = new Map<number, string>();
  for (const name of names) {
    const slot = name === undefined ? undefined : known.get(name);
    if (name !== undefined && slot !== undefined && !usedSlots.has(slot)) usedSlots.set(slot, name);
  }
  return names.map((name) => {
    if (name === undefined) return OTHERS;
    const slot = known.get(name);
    if (slot !== undefined && usedSlots.get(slot) === name) return `s${slot}`;
    const free = freeSlot(name, usedSlots, new Set(known.values()));
    if (free === undefined) return OTHERS;
    usedSlots.set(free, name);
    if (slot === undefined) known.set(name, free);
    return `s${free}`;
  });
}

/** The first free colour after the one that a name's letters choose, of those that no name had if there are any. */
function freeSlot(
  name: string,
  usedSlots: ReadonlyMap<number, string>,
  used: ReadonlySet<number>,
): number | undefined {
  const start = hash(name) % SLOTS;
  const free = Array.from({ length: SLOTS }, (_, n) => (start + n) % SLOTS).filter((n) => !usedSlots.has(n));
  return free.find((n) => !used.has(n)) ?? free[0];
}
