import { hash } from "../codec/hash.ts";
import type { Spelling } from "../codec/provider-codec.ts";

/** Respells names for the target: a name always in the same way, and no two names alike. */
export function speller({ pattern, max, exact }: Spelling) {
  const spelled = new Map<string, string>();
  const originals = new Map<string, string>();
  const fits = (name: string): boolean => name.length <= max && pattern.test(name);
  const respell = (name: string): string => {
    if (exact) return hashedName(exact, name, originals);
    const clean = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^[^A-Za-z_]/, "_");
    for (let n = 1; ; n++) {
      const mark = n === 1 ? `_${hash(name)}` : `_${hash(name)}_${n}`;
      const candidate = clean.slice(0, max - mark.length) + mark;
      if (!originals.has(candidate)) return candidate;
    }
  };
  return {
    spell(name: string): string {
      const known = spelled.get(name);
      if (known !== undefined) return known;
      const spelling = fits(name) && !originals.has(name) ? name : respell(name);
      spelled.set(name, spelling);
      originals.set(spelling, name);
      return spelling;
    },
    hasChanges: (): boolean => [...spelled].some(([name, spelling]) => name !== spelling),
    unspell: (name: string): string => originals.get(name) ?? name,
  };
}

/** A hash of a name with a given number of letters and digits, so that it is the same in every request. */
function hashedName(length: number, name: string, spellings: ReadonlyMap<string, string>): string {
  for (let n = 0; ; n++) {
    let spelled = "";
    for (let k = 0; spelled.length < length; k++) spelled += hash(`${n} ${k} ${name}`);
    const candidate = spelled.slice(0, length);
    if (!spellings.has(candidate)) return candidate;
  }
}
