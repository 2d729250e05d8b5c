/** Ids that are safe in headers and log lines. */
const ID = /^[\w.:@/+=-]{1,128}$/;

/** The request's own id if it is usable, otherwise a new one. */
export const requestIdOf = (header: string | undefined, make: () => string): string =>
  header !== undefined && ID.test(header) ? header : make();
