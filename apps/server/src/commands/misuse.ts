/** An invalid command line: a word or a value that it may not have. The message says what it may be. */
export class Misuse extends Error {}
