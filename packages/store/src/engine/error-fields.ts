import { SYSTEM_WORDS } from "./system-words.ts";

/** An error as fields of a log line. */
export type ErrorFields = {
  /** What went wrong, in our words where we know the code. */
  error: string;
  /** The code of the system, the driver or the library, for a search. */
  code?: string;
  /** The words of the system, the driver or the library, if `error` does not have them. */
  cause?: string;
};

/** SQL states, which have a digit, and codes of SQLite: the database did not do what it was asked. */
const OF_DATABASES = /^(?:(?=.*\d)[0-9A-Z]{5}|(?:ERR_)?SQLITE_\w+)$/;

/** More errors than this are a circle. */
const MOST_CAUSES = 8;

/** The fields by which any error is logged, without credentials and parameters of addresses. */
export function errorFields(thrown: unknown): ErrorFields {
  const chain = chainOf(thrown);
  const code = chain.map(codeOf).findLast((one) => one !== undefined);
  const error = withoutSecrets(wordsOf(chain[0]) ?? String(chain[0]));
  const cause = withoutSecrets(messageOf(chain.at(-1)));
  return { error, ...(code !== undefined && { code }), ...(!error.includes(cause) && { cause }) };
}

/** An error and its causes, without the words of `fetch` that a call failed. */
function chainOf(error: unknown): unknown[] {
  const chain = [error];
  while (chain.length < MOST_CAUSES) {
    const { cause, errors } = (chain.at(-1) ?? {}) as { cause?: unknown; errors?: unknown };
    const next = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
    if (next === undefined) break;
    chain.push(next);
  }
  return chain.length > 1 && messageOf(error) === "fetch failed" ? chain.slice(1) : chain;
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

function wordsOf(error: unknown): string | undefined {
  const code = codeOf(error) ?? "";
  return OF_DATABASES.test(code) ? "the database refused a statement" : SYSTEM_WORDS[code];
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Takes each address once: an expression that tries every one to the end of the text stops the process. */
const withoutSecrets = (text: string): string =>
  text.replace(/(\w:\/\/)(\S*)/g, (_, scheme: string, rest: string) => {
    const shown = rest.includes("@") ? `…${rest.slice(rest.lastIndexOf("@"))}` : rest;
    return scheme + shown.replace(/\?[^"')]+/g, "?…");
  });
