import { networkOf } from "../http/caller-address.ts";
import type { RefusalCode } from "../http/codes.ts";
import type { RunningRequest } from "./running-request.ts";

/** Writes the line of an answered request to the log. `code` is that of its refusal. */
export function logRequest(request: RunningRequest, code: RefusalCode | undefined): void {
  const { id, exchange, services, route, path, began, caller, progress } = request;
  const { status } = exchange.sink;
  const fields = {
    request: id,
    method: exchange.method,
    route: path,
    status,
    ms: Math.round(services.steady() - began),
    account: caller?.accountId,
    key: caller?.keyId,
    generation: progress.generation,
    socket: exchange.socket,
    code,
    ...progress.trace?.summary(),
  };
  // Any client can send requests that are refused without a credential: their lines could fill the log.
  const isAnonymous =
    status >= 400 &&
    status < 500 &&
    (status === 401 || code === "too_many_requests_from_address" || route.access === "open");
  const peer = isAnonymous ? services.addressOf(exchange) : undefined;
  if (peer === undefined) {
    services.log.info(fields, "request");
    return;
  }
  const address = networkOf(peer);
  services.refusalLog.note(address, String(code), () => services.log.info({ ...fields, address }, "request"));
}
