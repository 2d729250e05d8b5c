/** Removes case and separators, in which the spellings of one name differ. */
const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Counts the letters that have to be changed, left out, put in or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** Longer than any existing name; comparing more would only cost time. */
const MAX_LENGTH = 64;

/** The candidate that a misspelt word was probably meant to be: one letter in four may be wrong. */
export function closestName(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const typed = plain(word);
  if (typed.length < 3) return undefined;
  let best: { candidate: string; off: number } | undefined;
  for (const candidate of candidates) {
    const meant = plain(candidate.slice(candidate.lastIndexOf(".") + 1));
    const limit = Math.max(1, Math.floor(Math.min(typed.length, meant.length) / 4));
    if (meant.length < 4 || Math.abs(meant.length - typed.length) > limit) continue;
    const off = distance(typed, meant);
    if (off <= limit && (!best || off < best.off)) best = { candidate, off };
  }
  return best?.candidate;
}
