import { ObjectFault } from "./fault.ts";
import { LINK_LIFE, type LinkTerms } from "./objects.ts";

const SEGMENT = "[a-z0-9][a-z0-9_-]{0,63}";
const KEY = new RegExp(`^(?:${SEGMENT}/){0,7}${SEGMENT}(?:\\.[a-z0-9]{1,8})?$`);
const MEDIA_TYPE =
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}(?:; ?charset=[a-z0-9-]{1,20})?$/i;

/** True for keys in this service's form: ids and slots joined by slashes, `<account>/<generation>/0.png`. */
export const isObjectKey = (key: string): boolean => key.length <= 200 && KEY.test(key);

/** Throws for a key of another form, before it can become a path or an address. */
export function assertKey(key: string): void {
  if (typeof key !== "string" || !isObjectKey(key)) throw new ObjectFault("bad_key");
}

/** True for a media type that can be put into a header unchanged. */
export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text);

export function assertMediaType(text: string): void {
  if (!isMediaType(text)) throw new ObjectFault("bad_terms");
}

export function assertTerms(key: string, terms: LinkTerms, now: number): void {
  assertKey(key);
  assertMediaType(terms.mediaType);
  if (!(terms.expires > now && terms.expires <= now + LINK_LIFE)) throw new ObjectFault("bad_terms");
}
