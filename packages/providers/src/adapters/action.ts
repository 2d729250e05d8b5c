import { isObject, type JsonObject, textOf, toObject } from "@manifold-gateway/core/codec";
import type { Line, Trouble } from "./adapter.ts";
import { exchange } from "./call.ts";
import { type TroubleTable, toTrouble } from "./job-error.ts";
import { sign } from "./sign.ts";

/** A call that names an action. */
export interface Action {
  name: string;
  version: string;
  body: JsonObject;
  /** True if the action creates something, so that a repeated call would create two. */
  begins?: true;
}

/** The errors of signed calls. Those about signatures and subscriptions are the operator's. */
const troubles: TroubleTable = {
  codes: [
    [
      /SubscriptionRequired|AccessDenied|Signature|AccessKey|Credential|Unauthorized|NotFound\.(Project|\w*Group)/i,
      "misconfigured",
    ],
    [/Sensitive|PrivacyInformation|PolicyViolation/, "moderated"],
    [/RateLimit|FlowLimit|Throttl|TooManyRequests|Internal|Unavailable|Overloaded/i, "unavailable"],
    [/^NotFound/, "refused"],
    [/^(Invalid|Missing)\w*(Parameter|Argument|URL)/, "refused"],
  ],
};

/** An action's result, or the trouble that prevented it. */
export type Outcome = { result: JsonObject } | { trouble: Trouble };

/** Signs and sends an action. Rejects with `UpstreamFault`, never because of a status. */
export async function act(line: Line, { name, version, body, begins }: Action): Promise<Outcome> {
  const { origin, base, signing } = line.service;
  if (!signing)
    return { trouble: { kind: "misconfigured", message: "The provider of this service is not set up." } };
  const path = `/?${new URLSearchParams({ Action: name, Version: version })}`;
  const text = JSON.stringify(body);
  const url = new URL(origin + base + path);
  const headers = sign({ method: "POST", url, body: text, at: line.now() }, signing);
  const reply = await exchange(line, { method: "POST", path, text, headers, ...(begins && { begins }) });
  const { ResponseMetadata, Result } = toObject(reply.body);
  const { Error: error } = toObject(ResponseMetadata);
  if (reply.status < 400 && !isObject(error) && isObject(Result)) return { result: Result };
  const { Code, Message } = toObject(error);
  const { status, retryAfter } = reply;
  // Status 200 without a result is not the caller's error, so the status is left out.
  const wireError = { code: textOf(Code), message: textOf(Message), retryAfter };
  return { trouble: toTrouble(troubles, status < 400 ? wireError : { ...wireError, status }, line) };
}
