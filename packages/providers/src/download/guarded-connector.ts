import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";
import { DownloadFault } from "./download-fault.ts";

export interface ConnectOptions {
  guard: AddressGuard;
  /** Looks up all addresses of a name. */
  resolve: (hostname: string) => Promise<LookupAddress[]>;
  /** The milliseconds to connect, including name lookup. */
  timeout: number;
  /** Certificates to trust instead of the usual ones, PEM. */
  ca?: string | undefined;
}

/** Connects only to addresses that the guard allows, and to exactly the addresses that were checked. */
export function createGuardedConnector({
  guard,
  resolve,
  timeout,
  ca,
}: ConnectOptions): buildConnector.connector {
  const lookup = guardLookup(resolve, guard);
  return guardConnector(buildConnector({ lookup, timeout, allowH2: false, ...(ca && { ca }) }), guard);
}

/** Looks up a name's addresses. All must be allowed, and only the checked addresses are connected to. */
function guardLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]>,
  guard: AddressGuard,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => guard(address)))
          callback(new DownloadFault(first ? "address_refused" : "download_failed"), "", 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, "", 0),
    );
  };
}

function guardConnector(connector: buildConnector.connector, guard: AddressGuard): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    // An address needs no lookup, so it must be checked here.
    if (isIP(host) !== 0 && !guard(host)) return callback(new DownloadFault("address_refused"), null);
    connector(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (guard(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      callback(new DownloadFault("address_refused"), null);
    });
  };
}
