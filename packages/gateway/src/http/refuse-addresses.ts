import { addressesIn, type Unfetched, withoutSecrets } from "@manifold-gateway/core/codec";
import { fieldOf } from "@manifold-gateway/core/plan";
import type { Services } from "../ports/services.ts";
import type { JsonBody } from "./json-body.ts";
import { LargeString } from "./lazy-json.ts";
import { paramOf, quote, Refusal } from "./refusal.ts";

/** Addresses without a host: bytes in the address itself, and names in an object store. */
const HOSTLESS = /^(?:data:|(?:gs|s3):\/\/)/i;

/** The text of a string. Of media that was not decoded, only the beginning, which shows its type. */
const textOf = (leaf: object): string | undefined => {
  if (!(leaf instanceof LargeString)) return undefined;
  return HOSTLESS.test(leaf.head) ? leaf.head : leaf.toString();
};

/**
 * Refuses a request with an address that no provider may be sent: a private one, a file, or one with credentials.
 * Host names are not resolved, so one that leads to a private address passes. Throws a 400 that names each field.
 */
export function refuseAddresses(
  { faultOfUrl }: Pick<Services, "faultOfUrl">,
  {
    codec,
    body,
    model,
  }: { codec: { unfetched: Unfetched }; body: Pick<JsonBody, "lazy" | "skeleton">; model: string },
): void {
  const errors: string[] = [];
  const large = body.skeleton.largeStrings.length > 0 ? textOf : undefined;
  for (const { url, at } of addressesIn(body.lazy, codec.unfetched, large)) {
    const fault = HOSTLESS.test(url) ? undefined : faultOfUrl(url);
    if (fault === undefined) continue;
    errors.push(`${fieldOf(at)}: ${fault}, not ${quote(withoutSecrets(url))} (model ${quote(model)})`);
  }
  if (errors.length > 0) throw new Refusal("unusable_input", errors, { param: paramOf(errors) });
}
