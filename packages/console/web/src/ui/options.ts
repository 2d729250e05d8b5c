/** One of the values of a choice. */
export interface Option {
  value: string;
  text: string;
  /** What else is known of it, in faint letters; found by typing as well. */
  note?: string | undefined;
  /** How often there is such a thing. */
  count?: number | undefined;
}

/** The options that have what was typed in their text, value or note. */
export function matching(options: readonly Option[], typed: string): readonly Option[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return options;
  return options.filter(({ value, text, note = "" }) =>
    `${text}\n${value}\n${note}`.toLowerCase().includes(wanted),
  );
}

/** The place of the next option that begins with these letters: from the current one on, or after it. */
export function beginningWith(
  options: readonly Option[],
  letters: string,
  { at, isAfter }: { at: number; isAfter: boolean },
): number | undefined {
  const wanted = letters.toLowerCase();
  const order = options.map((_, n) => (at + n + (isAfter ? 1 : 0)) % options.length);
  return order.find((n) => options[n]?.text.toLowerCase().startsWith(wanted));
}
