/** Thrown if a process ended before it listened; the message is its reason. */
export class NotStarted extends Error {}
