import { ApiError } from "./refusal.ts";

/** A name that nothing else has; over plain HTTP browsers make no UUIDs. */
export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Whether a request has done nothing: the service refused it, and not because an earlier one has its idempotency key. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 409;
