/** A process did not come to listen; the message is what it said. */
export class NotStarted extends Error {}
