import { isProtectedUrl } from "@manifold-gateway/providers";
import { z } from "zod";

/** Characters that HTTP allows in the value of a header. */
const CARRIED = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that say how a message is put on its connection: they belong to who sends it. */
const FRAMING = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const headerName = z
  .string()
  .toLowerCase()
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, "is no name of a header")
  .refine((name) => !FRAMING.has(name), { error: "belongs to the connection and cannot be set" });

const headerValue = z
  .string()
  .regex(CARRIED, "holds a line break or another character that no header can carry");

/** A secret that goes out as it is. What it was is not repeated in the error. */
export const credential = headerValue.min(1);

export const headers = z.record(headerName, headerValue);

export const auth = z.strictObject({ header: headerName, scheme: headerValue.optional() });

/** The reason for refusing an address from which a secret or a key set would be read on the way. */
export const UNPROTECTED =
  "must be https: plain http is for this machine and private networks (private addresses, names without a dot or under .local and .internal)";

/** The address of a provider. What would be left out of every call is refused. */
export const origin = z
  .url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" })
  .refine((text) => !/[?#]/.test(text), {
    error: "must end with its path: a query or a fragment is never sent",
  })
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), {
    error: "must hold no name and no password: the credential is the 'key'",
  })
  .refine(isProtectedUrl, { error: UNPROTECTED });
