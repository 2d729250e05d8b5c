/** The hexadecimal digits of the time, in ms, with which ids begin that sort by it. */
const DIGITS = 12;

/** The beginning of the ids of a moment. */
export const idAt = (at: number): string => at.toString(16).padStart(DIGITS, "0");
