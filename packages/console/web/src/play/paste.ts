/** What was pasted: a body, or a whole curl line with the path it goes to. */
export interface Pasted {
  body: string;
  path?: string;
}

/** The words of a shell line, with quotes and backslashes taken off as a shell does. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  const TOKEN = /\\\r?\n|\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|[^\s'"\\]+/g;
  let word: string | undefined;
  for (const [all, single, double, escaped] of line.matchAll(TOKEN)) {
    if (/^(?:\\\r?\n|\s+)$/.test(all)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = (word ?? "") + (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? all);
  }
  if (word !== undefined) words.push(word);
  return words;
}

const DATA = /^(?:-d|--data(?:-raw|-binary|-ascii)?|--json)$/;

/** Reads what was pasted: a curl command, or else a body. */
export function readPaste(text: string): Pasted {
  if (!/^\s*(?:\$\s*)?curl\s/.test(text)) return { body: text };
  const words = wordsOf(text);
  const at = words.findIndex((word) => DATA.test(word));
  const joined = words.find((word) => /^--data(?:-raw|-binary)?=/.test(word));
  const body = (at >= 0 ? words[at + 1] : joined?.slice(joined.indexOf("=") + 1)) ?? "";
  const address = words.find((word) => /^https?:\/\//.test(word));
  return { body, ...(address !== undefined && URL.canParse(address) && { path: new URL(address).pathname }) };
}
