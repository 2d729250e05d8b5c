/** Ids that may go into headers and log lines as they are. */
const ID = /^[\w.:@/+=-]{1,128}$/;

/** The id that a request has already, where it can be used, or the one that `make` makes. */
export const requestIdOf = (given: string | undefined, make: () => string): string =>
  given !== undefined && ID.test(given) ? given : make();
