/**
 * The longest event of a reply. An image arrives in a single event, and the last event of some wires repeats the whole
 * reply.
 */
export const FRAME_LIMIT = 16 * 1024 * 1024;

/** An event with more data than the limit: nothing after it can be trusted. */
export class FrameTooLong extends Error {
  constructor(limit: number) {
    super(`An event of the stream has more than ${limit} characters.`);
  }
}
