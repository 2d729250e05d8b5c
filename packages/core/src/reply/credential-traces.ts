import { type Hide, spellingsOf } from "./hide-secrets.ts";

/** The length from which a run that a text shares with a credential is hidden. */
const MIN_SHARED = 8;
/** The fewest characters of a credential before or after a mask: vendors' keys begin alike. */
const MIN_SHOWN = { before: 4, after: 3 };
/** Matches a word or a prefix of names, which many texts share with a credential. */
const WORD = /^[a-z_./:-]+$/;
const TOKEN = /[^\s"',;:=()<>[\]{}]+/g;
const MASK = /[*•#…]+|\.{3,}|x{4,}|X{4,}|_{4,}/;

/**
 * Hides parts of credentials in a provider's text: runs that it shares with any spelling of one, and masked ones such
 * as `sk-a****wxyz`. Everything else stays as it is.
 */
export function hideTraces(secrets: readonly string[]): Hide {
  const long = secrets.filter((secret) => secret.length >= MIN_SHARED);
  if (long.length === 0) return (text) => text;
  const spellings = long.flatMap(spellingsOf);
  const pieces = new Set(spellings.flatMap((spelling) => piecesOf(fold(spelling))));
  return (text) => hideShared(hideMasked(text, spellings), pieces);
}

/** Lower-cases only ASCII, so that the length stays: some other letters become two. */
const fold = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** All substrings of `SHARED` characters. */
const piecesOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - MIN_SHARED + 1) }, (_, at) =>
    text.slice(at, at + MIN_SHARED),
  );

function hideShared(text: string, pieces: ReadonlySet<string>): string {
  const folded = fold(text);
  let out = "";
  let from = 0;
  for (let at = 0; at + MIN_SHARED <= text.length; at++) {
    if (!pieces.has(folded.slice(at, at + MIN_SHARED))) continue;
    let end = at + MIN_SHARED;
    while (pieces.has(folded.slice(end - MIN_SHARED + 1, end + 1))) end += 1;
    if (!WORD.test(text.slice(at, end))) {
      out += `${text.slice(from, at)}[redacted]`;
      from = end;
    }
    at = end - 1;
  }
  return out + text.slice(from);
}

/** Hides masked tokens that begin or end like a credential. */
const hideMasked = (text: string, spellings: readonly string[]): string =>
  text.replace(TOKEN, (token) => {
    const mask = MASK.exec(token);
    if (!mask) return token;
    const before = token.slice(0, mask.index);
    const after = token
      .slice(mask.index)
      .replace(/^(?:[*•#…._]|x{4,}|X{4,})+/, "")
      .replace(/(?<![.:!?])[.:!?]+$/, "");
    const isCredential = spellings.some(
      (spelling) =>
        (before.length >= MIN_SHOWN.before && spelling.startsWith(before)) ||
        (after.length >= MIN_SHOWN.after && spelling.endsWith(after)),
    );
    return isCredential ? "[redacted]" : token;
  });
