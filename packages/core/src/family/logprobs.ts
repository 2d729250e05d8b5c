import type { TokenLogprob } from "../ir/index.ts";
import { type Json, type JsonObject, numberOf, toArray, toObject, toText } from "../json/json.ts";

type One = Omit<TokenLogprob, "top">;

/** Reads the probability of a token, and its alternatives. Bytes that are `null` or none are not known. */
export function toLogprob(json: Json): TokenLogprob {
  const wire = toObject(json);
  const top = toArray(wire.top_logprobs).map((other) => one(toObject(other)));
  return { ...one(wire), ...(top.length > 0 && { top }) };
}

function one({ token, logprob, bytes }: JsonObject): One {
  const known = toArray(bytes).filter((byte): byte is number => typeof byte === "number");
  return { token: toText(token), logprob: numberOf(logprob) ?? 0, ...(known.length > 0 && { bytes: known }) };
}

/** A token as the family writes it; `unknown` is how the wire spells missing bytes. */
export function writeLogprob<Bytes>({ top = [], ...token }: TokenLogprob, unknown: Bytes) {
  const write = ({ token, logprob, bytes }: One) => ({ token, logprob, bytes: bytes ?? unknown });
  return { ...write(token), top_logprobs: top.map(write) };
}
