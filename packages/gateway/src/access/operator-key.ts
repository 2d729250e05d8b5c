import { z } from "zod";

/** What a client can send in a header as a credential. */
export const sendable = z
  .string()
  .regex(/^[!-~]*$/, "must be printable ASCII without spaces: nobody could send it in a header");

/** The credential of an operator. A shorter one could be guessed. */
export const operatorKey = sendable.min(32).max(512);
