import { toSource } from "@manifold-gateway/core/codec";
import type { ImageOutput, ImageResult } from "@manifold-gateway/core/operations";
import type { Transport } from "@manifold-gateway/providers/fetch-transport";
import { toBase64 } from "../base64.ts";
import { ClientRefusal } from "../reply/failure.ts";

/** The largest picture, in bytes. */
const LARGEST = 96 * 1024 * 1024;

/**
 * The result with every picture in base64: those that have only an address are read there, without any key. `home` is
 * the origin of the service: an answer cannot lead to other hosts without TLS, such as those of a private network.
 */
export async function inlineImages(
  result: ImageResult,
  home: string,
  transport: Transport,
  signal: AbortSignal,
): Promise<ImageResult> {
  const images = await Promise.all(
    result.images.map(async (image): Promise<ImageOutput> => {
      const { b64, url } = image;
      return b64 !== undefined || url === undefined
        ? image
        : { ...image, b64: await base64At(url, home, transport, signal) };
    }),
  );
  return { ...result, images };
}

async function base64At(
  url: string,
  home: string,
  transport: Transport,
  signal: AbortSignal,
): Promise<string> {
  const source = toSource(url);
  if (source.type === "base64") return source.data;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) throw unreadable("its address is not one of the web");
  const { origin, pathname, protocol, search } = new URL(url);
  if (protocol !== "https:" && origin !== home) throw unreadable("its address has no TLS");
  const path = pathname + search;
  const { status, body } = await transport.send({ origin, path, method: "GET", headers: {}, signal });
  if (status === 200) return toBase64(await body.bytes(LARGEST));
  body.cancel();
  throw unreadable(`its address answers status ${status}`);
}

const unreadable = (why: string): ClientRefusal =>
  new ClientRefusal(502, "provider_failed", `The provider's picture cannot be read: ${why}.`);
