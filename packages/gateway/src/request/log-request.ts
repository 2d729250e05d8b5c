import { networkOf } from "../http/caller-address.ts";
import type { RefusalCode } from "../http/codes.ts";
import type { Identified, Matched, Received } from "./stages.ts";

/** The outcome of a request. Stages that were not reached are absent. */
export interface Ended {
  identified: Identified | undefined;
  received: Received | undefined;
  /** The code of the refusal. */
  code: RefusalCode | undefined;
}

/** Writes the line of an answered request to the log. */
export function logRequest(
  { id, exchange, services, route, path, began }: Matched,
  { identified, received, code }: Ended,
): void {
  const { status } = exchange.sink;
  const progress = received?.progress;
  const fields = {
    request: id,
    method: exchange.method,
    route: path,
    status,
    ms: Math.round(services.steady() - began),
    account: identified?.caller?.accountId,
    key: identified?.caller?.keyId,
    generation: progress?.generation,
    socket: exchange.socket,
    code,
    ...progress?.trace?.summary(),
  };
  // Any client can send requests that are refused without a credential: their lines could fill the log.
  const isAnonymous =
    status >= 400 &&
    status < 500 &&
    (status === 401 || code === "too_many_requests_from_address" || route.access === "open");
  const address = isAnonymous ? services.addressOf(exchange) : undefined;
  if (address === undefined) services.log.info(fields, "request");
  else services.refusalLog.note(networkOf(address), String(code), () => services.log.info(fields, "request"));
}
