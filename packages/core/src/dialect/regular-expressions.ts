/** What engines may differ about: escapes, groups with a question mark, and sets that JavaScript alone takes as empty. */
const DOUBTFUL = /\\[\s\S]?|\(\?[=!<]|\[\^?\]/g;

/** Escapes that have one meaning in all engines: of classes, of control characters, of code units and of signs. */
const COMMON_ESCAPE = /^\\[dDwWsSbBnrtfvxu\W_]$/;

/**
 * Checks whether engines other than JavaScript's read a regular expression as well: Python's, RE2 and those of Rust
 * compile the patterns of schemas. They lack what looks around, named groups, references back and classes of Unicode,
 * or write them otherwise.
 */
export const isCommon = (pattern: string): boolean =>
  !pattern.includes("\\u{") && (pattern.match(DOUBTFUL) ?? []).every((match) => COMMON_ESCAPE.test(match));
