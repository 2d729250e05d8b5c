/**
 * Checks whether the data of an event is no chunk and only shows that the stream goes on: some servers send empty events,
 * or write a comment or the word `ping` as data.
 */
export const isSignOfLife = (data: string): boolean =>
  /^\s*(?::|$|\[?(?:ping|heartbeat|keep-?alive)\]?\s*$)/i.test(data);
