/** Matches syntax in which engines differ: escapes, groups with a question mark, sets that only JavaScript takes for empty. */
const DOUBTFUL = /\\[\s\S]?|\(\?[=!<]|\[\^?\]/g;

/** Escapes that have one meaning in all engines: of classes, of control characters, of code units and of signs. */
const COMMON_ESCAPE = /^\\[dDwWsSbBnrtfvxu\W_]$/;

/**
 * Checks whether all engines read a regular expression, because servers compile the patterns of schemas in Python, RE2
 * or Rust. These lack look-around, named groups, back references and Unicode classes, or spell them otherwise.
 */
export const isCommon = (pattern: string): boolean =>
  !pattern.includes("\\u{") && (pattern.match(DOUBTFUL) ?? []).every((match) => COMMON_ESCAPE.test(match));
