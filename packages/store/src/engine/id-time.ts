/** The number of hexadecimal digits of the time in ms with which sortable ids begin. */
const DIGITS = 12;

/** The beginning of the ids of a time in ms. */
export const idAt = (at: number): string => at.toString(16).padStart(DIGITS, "0");

/** The longest time between an id and the record that gets it: a request waits for its body, or is repeated. */
export const WAIT = 86_400_000;

/** The range of ids that records of a range of time can have. */
export const idsOf = (
  { from, to }: { from: number; to: number },
  prefix = "",
): { from: string; to: string } => ({
  from: prefix + idAt(Math.max(0, from - WAIT)),
  to: prefix + idAt(to),
});
