import type { Draft } from "./draft.ts";

const NAME = "draft=";
/** The longest address that browsers and chats carry whole. */
const LONGEST = 32_000;
/** The most characters that the draft of an address may unpack to. */
const MOST = 4_000_000;

const through = (
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): ReadableStream<Uint8Array> =>
  new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);

/** A draft as the fragment of an address; nothing where it is too long for one. */
export async function toFragment(draft: Draft): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(draft));
  const packed = await new Response(through(bytes, new CompressionStream("deflate-raw"))).bytes();
  const fragment = `#${NAME}${toBase64(packed)}`;
  return fragment.length > LONGEST ? undefined : fragment;
}

export const hasDraft = (fragment: string): boolean => fragment.startsWith(`#${NAME}`);

/** The JSON text in the fragment of an address; nothing where there is none. */
export async function fromFragment(fragment: string): Promise<string | undefined> {
  if (!hasDraft(fragment)) return undefined;
  try {
    const unpacked = through(
      fromBase64(fragment.slice(NAME.length + 1)),
      new DecompressionStream("deflate-raw"),
    );
    const decoder = new TextDecoder();
    const reader = unpacked.getReader();
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      // A link of a few kilobytes can unpack to gigabytes.
      if (text.length > MOST) {
        await reader.cancel();
        return undefined;
      }
    }
    return text;
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );
