import type { Protocols } from "@manifold-gateway/core";
import { isObject, type JsonObject, parseJson } from "@manifold-gateway/core/codec";
import type { WholeReply } from "@manifold-gateway/core/reply";
import { bodyTexts, withTexts } from "./body-texts.ts";
import type { GuardChecker } from "./checker.ts";

const decoder = new TextDecoder();

/** Has the texts of a unary answer checked, in the form in which the caller gets it. */
export async function checkAnswer(
  whole: WholeReply,
  checker: GuardChecker,
  protocols: Protocols,
): Promise<WholeReply> {
  const body = jsonOf(whole.body);
  if (!body) return whole;
  const changed = await checker.check(bodyTexts(body, protocols));
  return changed.size === 0 ? whole : { ...whole, body: withTexts(body, changed, protocols) };
}

function jsonOf(body: WholeReply["body"]): JsonObject | undefined {
  if (!(body instanceof Uint8Array) && typeof body !== "string") return body;
  const read = parseJson(typeof body === "string" ? body : decoder.decode(body));
  return isObject(read) ? read : undefined;
}
