/**
 * Checks whether the data of an event is no chunk, but only keeps the connection open: some servers send empty events,
 * or write a comment or the word `ping` as data.
 */
export const isKeepAlive = (data: string): boolean =>
  /^\s*(?::|$|\[?(?:ping|heartbeat|keep-?alive)\]?\s*$)/i.test(data);
