import type { Protocol, Seal } from "../ir/part.ts";
import { type Wires, wires } from "./facts.ts";

/** Placeholder for a signature that a model demands and that is not known. It seals nothing. */
export const SENTINEL = "skip_thought_signature_validator";

/** The placeholders that a vendor's pages name, as they stand there and, from clients whose field is bytes, in base64. */
const placeholders = new Set(
  [SENTINEL, "context_engineering_is_the_way_to_go"].flatMap((words) => [words, btoa(words)]),
);

/** Whether a signature only stands in the place of one. */
export const isPlaceholder = (signature: string): boolean => placeholders.has(signature);

/**
 * A seal is only read by the protocol that issued it, but a conversation that crosses protocols has to bring it
 * back. So a foreign seal travels inside a field that the other wire's clients echo untouched, wrapped so that
 * it can be recognised and unpacked: `mfseal1` + a letter for the protocol + a letter for the width of the value's
 * units + the value in base64. Of ids and text, the base64 is base64url; where the field is bytes, the whole is
 * standard base64 with its padding, which the second letter fills up to a group of four: clients decode it.
 *
 * Codecs know the letters of the library's protocols. The seal of any other has its letter in place of the name, until
 * the codec of that letter reads it.
 */
export const SEAL_MARK = "mfseal1";

/** The last character of the mark, which is rare in prose. */
const LAST_OF_MARK = SEAL_MARK.slice(-1);
/** The most occurrences of it that are looked at one by one. */
const MAX_CHECKS = 32;

/** Checks whether a text contains a seal. Searching for one rare character costs a tenth of searching for the mark. */
export function holdsSeal(text: string): boolean {
  let from = 0;
  for (let found = 0; found < MAX_CHECKS; found++) {
    const at = text.indexOf(LAST_OF_MARK, from);
    if (at < 0) return false;
    if (text.startsWith(SEAL_MARK, at + 1 - SEAL_MARK.length)) return true;
    from = at + 1;
  }
  return text.includes(SEAL_MARK, from - SEAL_MARK.length);
}

const letterOf = (protocol: string): string => {
  const known: Partial<Record<string, { letter: string }>> = wires.facts;
  return known[protocol]?.letter ?? protocol;
};

/** The width of the units of a text, and the text in base64. */
function pack(text: string): { width: string; data: string } {
  let binary = "";
  // UTF-16 units rather than UTF-8, so that lone surrogates survive; the high byte is only spent when needed.
  const wide = /[^\0-\xff]/.test(text);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    binary += wide ? String.fromCharCode(unit >> 8, unit & 255) : String.fromCharCode(unit);
  }
  return { width: wide ? "w" : "b", data: btoa(binary) };
}

/** Completes the group of four that begins with the width, for seals that are base64 as a whole. */
const FILL = "AAA";

function unpack(packed: string): string | undefined {
  const width = packed.charAt(0).toLowerCase();
  const filled = packed.charAt(0) !== width;
  if (filled && !packed.startsWith(FILL, 1)) return undefined;
  try {
    const data = packed.slice(filled ? 1 + FILL.length : 1);
    const binary = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    if (width === "b") return binary;
    if (width !== "w" || binary.length % 2 !== 0) return undefined;
    let text = "";
    for (let i = 0; i < binary.length; i += 2)
      text += String.fromCharCode((binary.charCodeAt(i) << 8) | binary.charCodeAt(i + 1));
    return text;
  } catch {
    return undefined;
  }
}

function wrap(seal: Seal): string {
  const { width, data } = pack(seal.value);
  const url = data.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return SEAL_MARK + letterOf(seal.protocol) + width + url;
}

function wrapBytes(seal: Seal): string {
  const { width, data } = pack(seal.value);
  return SEAL_MARK + letterOf(seal.protocol) + width.toUpperCase() + FILL + data;
}

function unwrap(text: string): Seal | undefined {
  if (!text.startsWith(SEAL_MARK)) return undefined;
  const letter = text.charAt(SEAL_MARK.length);
  if (!/[a-z]/.test(letter)) return undefined;
  const value = unpack(text.slice(SEAL_MARK.length + 1));
  return value === undefined
    ? undefined
    : { protocol: wires.protocolOf(letter) ?? (letter as Protocol), value };
}

/**
 * The value of a seal on a wire of `protocol`: the seal's own where the protocols are the same, else the wrapped
 * form. `bytes`: the wire's field is bytes.
 */
export function sealFor(
  protocol: Protocol,
  seal: Seal,
  bytes: boolean = wires.facts[protocol]?.sealBytes === true,
): string {
  if (seal.protocol === protocol) return seal.value;
  return bytes ? wrapBytes(seal) : wrap(seal);
}

/** The seal in a field of a wire of `protocol`: unpacked where it was wrapped, else the wire's own. */
export const sealFrom = (protocol: Protocol, value: string): Seal => unwrap(value) ?? { protocol, value };

/** A call id that carries a seal, for wires whose calls have no field for one. */
export const sealedId = (protocol: Protocol, id: string, seal: Seal | undefined): string =>
  seal && seal.protocol !== protocol ? `${id}-${wrap(seal)}` : id;

/** The id and the seal of `sealedId`; any other id comes back as it is. */
export function unsealedId(id: string): { id: string; seal?: Seal } {
  const at = id.lastIndexOf(`-${SEAL_MARK}`);
  const seal = at < 0 ? undefined : unwrap(id.slice(at + 1));
  return seal ? { id: id.slice(0, at), seal } : { id };
}

/** The one of the protocols that can read the first wrapped seal in a text. */
export function sealedFor(text: string, among: Wires = wires): Protocol | undefined {
  const at = text.indexOf(SEAL_MARK);
  return at < 0 ? undefined : among.protocolOf(text.charAt(at + SEAL_MARK.length));
}
