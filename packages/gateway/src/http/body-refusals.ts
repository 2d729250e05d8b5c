import { Refusal } from "./refusal.ts";

/** A 500 for a body that the host has read already. */
export const readBefore = (): Refusal =>
  new Refusal(
    "body_consumed",
    "The request body was read before it reached the gateway: mount the gateway before body parsers.",
  );

/** A 413 for a body over the limit. Its rest is not read, so the connection is closed. */
export const tooLarge = (limit: number): Refusal =>
  new Refusal("body_too_large", `The request body is larger than ${limit} bytes.`, {
    headers: { connection: "close" },
  });

/** A 413 for a body with too much text; inline media do not count. */
export const tooMuchText = (limit: number): Refusal =>
  new Refusal("body_too_large", `A request body may have at most ${limit} bytes beside its inline media.`, {
    headers: { connection: "close" },
  });

/** A 400 for a body that is expensive to handle and that no ordinary client sends. */
export const tooComplex = (reason: string): Refusal =>
  new Refusal("body_too_complex", `The request body ${reason}.`, { headers: { connection: "close" } });

export const tooDeep = (levels: number): Refusal => tooComplex(`is nested deeper than ${levels} levels`);
