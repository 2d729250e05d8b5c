/**
 * Checks whether the data of an event is no chunk and only shows that the stream goes on: some servers send empty events,
 * or write a comment as data.
 */
export const isSignOfLife = (data: string): boolean => /^\s*(?::|$)/.test(data);
