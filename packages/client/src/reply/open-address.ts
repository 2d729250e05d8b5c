import type { Transport, UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { ClientRefusal } from "./failure.ts";

/** What a provider has made, at an address. */
interface ProviderFile {
  url: string;
  /** The origin of the service: an answer cannot lead to other hosts without TLS, such as those of a private network. */
  serviceOrigin: string;
  /** Its name in errors: `picture`. */
  noun: string;
}

/** The bytes at an address that a provider answers with, which is read without any key. */
export async function openAddress(
  { url, serviceOrigin, noun }: ProviderFile,
  transport: Transport,
  signal: AbortSignal,
): Promise<UpstreamResponse["body"]> {
  const unreadable = (why: string): ClientRefusal =>
    new ClientRefusal(502, "provider_failed", `The provider's ${noun} cannot be read: ${why}.`);
  if (!/^https?:/i.test(url) || !URL.canParse(url)) throw unreadable("its address is not one of the web");
  const { origin, pathname, protocol, search } = new URL(url);
  if (protocol !== "https:" && origin !== serviceOrigin) throw unreadable("its address has no TLS");
  const path = pathname + search;
  const { status, body } = await transport.send({ origin, path, method: "GET", headers: {}, signal });
  if (status === 200) return body;
  body.cancel();
  throw unreadable(`its address answers status ${status}`);
}
