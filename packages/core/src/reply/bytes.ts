/** How bytes and texts become one another. In a latin1 text each character stands for one byte. */
export interface ByteTools {
  /** Checks whether no byte is more than 127. */
  isAscii(bytes: Uint8Array): boolean;
  /** Checks whether bytes are valid UTF-8. */
  isUtf8(bytes: Uint8Array): boolean;
  /** Bytes as a latin1 text. */
  toLatin1(bytes: Uint8Array): string;
  /** The bytes of a latin1 text. */
  ofLatin1(text: string): Uint8Array<ArrayBuffer>;
  /** The characters that the bytes of a latin1 text encode. */
  decodeLatin1(text: string): string;
  /** The number of bytes of a text in UTF-8. */
  lengthOf(text: string): number;
}

/** Built-in functions of servers' runtimes, which are faster than what browsers have. */
interface Builtin {
  Buffer: {
    from(text: string, encoding: "latin1"): Uint8Array<ArrayBuffer> & { toString(): string };
    from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: "latin1"): string };
    byteLength(text: string): number;
  };
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
}

/** The most arguments of a call that every engine takes. */
const MAX_ARGUMENTS = 8_192;

/** The same by what every runtime has. Its own `latin1` decoder is another encoding. */
export function portableBytes(): ByteTools {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const strict = new TextDecoder("utf-8", { fatal: true });
  const ofLatin1 = (text: string): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return bytes;
  };
  return {
    isAscii: (bytes) => bytes.every((byte) => byte < 128),
    isUtf8(bytes) {
      try {
        strict.decode(bytes);
        return true;
      } catch {
        return false;
      }
    },
    toLatin1(bytes) {
      let text = "";
      for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS)
        text += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS));
      return text;
    },
    ofLatin1,
    decodeLatin1: (text) => decoder.decode(ofLatin1(text)),
    lengthOf: (text) => encoder.encode(text).length,
  };
}

function builtinBytes({ Buffer, isAscii, isUtf8 }: Builtin): ByteTools {
  return {
    isAscii,
    isUtf8,
    toLatin1: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"),
    ofLatin1: (text) => Buffer.from(text, "latin1"),
    decodeLatin1: (text) => Buffer.from(text, "latin1").toString(),
    lengthOf: Buffer.byteLength,
  };
}

function bytesOfRuntime(): ByteTools {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): Partial<Builtin> | undefined };
  };
  const builtin = process?.getBuiltinModule?.("buffer");
  const isWhole =
    builtin?.Buffer !== undefined && builtin.isAscii !== undefined && builtin.isUtf8 !== undefined;
  return isWhole ? builtinBytes(builtin as Builtin) : portableBytes();
}

/** The fastest tools of this runtime. */
export const byteTools: ByteTools = /* @__PURE__ */ bytesOfRuntime();

/** Encodings of the text that a reply is written in. */
export type ReplyEncoding = "latin1" | "utf8";

const encoder = /* @__PURE__ */ new TextEncoder();

/** The bytes of a text, one character for each. */
export const asLatin1 = (text: string): string => byteTools.toLatin1(encoder.encode(text));

/** The bytes of the text of a reply. */
export const replyBytes = (text: string, encoding: ReplyEncoding): Uint8Array<ArrayBuffer> =>
  encoding === "latin1" ? byteTools.ofLatin1(text) : encoder.encode(text);
