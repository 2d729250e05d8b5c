import type { AnyCodec } from "@manifold/core";
import type { Admits, CredentialPlace } from "./access.ts";
import type { Answer, Context } from "./context.ts";

/** One line of a surface: what is asked for, who may ask, and what answers. */
export interface Route {
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  /** Below the surface's prefix; `:name` is a segment, `**` the rest of the path. */
  path: string;
  access: Admits;
  /** What it is for, in a few words. */
  summary: string;
  handler(context: Context): Promise<Answer | undefined> | Answer | undefined;
}

/** One HTTP face of the service. */
export interface Surface {
  name: string;
  /** `/api/chatstyle`; route paths follow it. */
  prefix: string;
  /** The protocol whose error object stands beside the envelope. */
  codec?: AnyCodec;
  /** Where its clients put credentials, besides the two places that hold everywhere. */
  credentials?: readonly CredentialPlace[];
  routes: readonly Route[];
}
