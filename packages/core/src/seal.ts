import type { Protocol, Seal } from "./ir/part.ts";
import { protocols } from "./ir/part.ts";
import { wireFacts } from "./protocols/facts.ts";

/**
 * A seal is only read by the protocol that issued it, but a conversation that crosses protocols has to bring it
 * back. So a foreign seal travels inside a field that the other wire's clients echo untouched, wrapped so that
 * it can be recognised and unpacked: `mfseal1` + a letter for the protocol + base64url of the value.
 * The form fits wherever base64 or an id is expected.
 */
export const SEAL_MARK = "mfseal1";

const byLetter = new Map(protocols.map((protocol) => [wireFacts[protocol].letter, protocol]));

function toBase64Url(text: string): string {
  let binary = "";
  // UTF-16 units rather than UTF-8, so that lone surrogates survive; the high byte is only spent when needed.
  const wide = /[^\0-\xff]/.test(text);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    binary += wide ? String.fromCharCode(unit >> 8, unit & 255) : String.fromCharCode(unit);
  }
  return (wide ? "w" : "b") + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(packed: string): string | undefined {
  try {
    const binary = atob(packed.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    if (packed[0] === "b") return binary;
    if (packed[0] !== "w" || binary.length % 2 !== 0) return undefined;
    let text = "";
    for (let i = 0; i < binary.length; i += 2)
      text += String.fromCharCode((binary.charCodeAt(i) << 8) | binary.charCodeAt(i + 1));
    return text;
  } catch {
    return undefined;
  }
}

const wrap = (seal: Seal): string => SEAL_MARK + wireFacts[seal.protocol].letter + toBase64Url(seal.value);

function unwrap(text: string): Seal | undefined {
  if (!text.startsWith(SEAL_MARK)) return undefined;
  const protocol = byLetter.get(text.charAt(SEAL_MARK.length));
  const value = fromBase64Url(text.slice(SEAL_MARK.length + 1));
  return protocol && value !== undefined ? { protocol, value } : undefined;
}

/** What a wire of `protocol` carries for a seal: the value itself where it is its own, else the wrapped form. */
export const sealFor = (protocol: Protocol, seal: Seal): string =>
  seal.protocol === protocol ? seal.value : wrap(seal);

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

/** The protocol that can read the first wrapped seal in a text. */
export function sealedFor(text: string): Protocol | undefined {
  const at = text.indexOf(SEAL_MARK);
  return at < 0 ? undefined : byLetter.get(text.charAt(at + SEAL_MARK.length));
}
