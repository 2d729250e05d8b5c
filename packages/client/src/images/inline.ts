import { toSource } from "@manifold-gateway/core/codec";
import type { ImageOutput, ImageResult } from "@manifold-gateway/core/operations";
import type { Transport } from "@manifold-gateway/providers/fetch-transport";
import { toBase64 } from "../base64.ts";
import { openAddress } from "../reply/open-address.ts";

/** The largest picture, in bytes. */
const LARGEST = 96 * 1024 * 1024;

/**
 * The result with every picture in base64: those that have only an address are read there, without any key. `serviceOrigin` is
 * the origin of the service: an answer cannot lead to other hosts without TLS, such as those of a private network.
 */
export async function inlineImages(
  result: ImageResult,
  serviceOrigin: string,
  transport: Transport,
  signal: AbortSignal,
): Promise<ImageResult> {
  const images = await Promise.all(
    result.images.map(async (image): Promise<ImageOutput> => {
      const { b64, url } = image;
      return b64 !== undefined || url === undefined
        ? image
        : { ...image, b64: await base64At(url, serviceOrigin, transport, signal) };
    }),
  );
  return { ...result, images };
}

async function base64At(
  url: string,
  serviceOrigin: string,
  transport: Transport,
  signal: AbortSignal,
): Promise<string> {
  const source = toSource(url);
  if (source.type === "base64") return source.data;
  const body = await openAddress({ url, serviceOrigin, noun: "picture" }, transport, signal);
  return toBase64(await body.bytes(LARGEST));
}
