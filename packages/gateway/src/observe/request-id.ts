/** Ids that are safe in headers and log lines. */
const ID = /^[\w.:@/+=-]{1,128}$/;

/** The request's own id if it is usable, otherwise a new one. */
export const requestIdOf = (given: string | undefined, make: () => string): string =>
  given !== undefined && ID.test(given) ? given : make();
