import type { Protocol, Seal } from "./ir/part.ts";
import { protocols } from "./ir/part.ts";

/**
 * A seal is only read by the protocol that issued it, but a conversation that crosses protocols has to bring it
 * back. So a foreign seal travels inside a field that the other wire's clients echo untouched, wrapped so that
 * it can be recognised and unpacked: `mfseal1` + a letter for the protocol + base64url of the value.
 * The form fits wherever base64 or an id is expected.
 */
export const SEAL_MARK = "mfseal1";

const letters: Record<Protocol, string> = {
  chatstyle: "c",
  responses: "r",
  msgstyle: "m",
  genstyle: "g",
  native: "n",
};
const byLetter = new Map(protocols.map((protocol) => [letters[protocol], protocol]));

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

/** What a wire of `protocol` carries for a seal: the value itself where it is its own, else the wrapped form. */
export const sealFor = (protocol: Protocol, seal: Seal): string =>
  seal.protocol === protocol ? seal.value : SEAL_MARK + letters[seal.protocol] + toBase64Url(seal.value);

/** The seal in a field of a wire of `protocol`: unpacked where it was wrapped, else the wire's own. */
export function sealFrom(protocol: Protocol, value: string): Seal {
  if (value.startsWith(SEAL_MARK)) {
    const origin = byLetter.get(value[SEAL_MARK.length] as string);
    const inner = fromBase64Url(value.slice(SEAL_MARK.length + 1));
    if (origin && inner !== undefined) return { protocol: origin, value: inner };
  }
  return { protocol, value };
}

const ID_MARK = `-${SEAL_MARK}`;

/** A call id that carries a seal, for wires whose calls have no field for one. */
export const sealedId = (protocol: Protocol, id: string, seal: Seal | undefined): string =>
  seal && seal.protocol !== protocol ? id + ID_MARK + letters[seal.protocol] + toBase64Url(seal.value) : id;

/** The id and the seal of `sealedId`; any other id comes back as it is. */
export function unsealedId(id: string): { id: string; seal?: Seal } {
  const at = id.indexOf(ID_MARK);
  if (at < 0) return { id };
  const seal = sealFrom("native", id.slice(at + 1));
  return seal.protocol === "native" ? { id } : { id: id.slice(0, at), seal };
}
