import type { Refusal } from "../http/refusal.ts";
import type { RunningRequest } from "./running-request.ts";

/**
 * Records a request that was refused before it had a generation, and therefore has no record. Requests without a known
 * account are left out, and so are requests of the console's pages, which an account's programs did not send.
 */
export function noteRefusal(request: RunningRequest, refusal: Refusal): void {
  const { id, services, surface, route, params, options, progress } = request;
  const caller = request.caller ?? refusal.options.caller;
  if (!caller || progress.trace?.generation !== undefined || options.explain) return;
  if (!route.generates && caller.keyId === undefined) return;
  const model = progress.trace?.summary().model ?? params.model;
  services.store.refusals.note({
    accountId: caller.accountId,
    ...(caller.keyId !== undefined && { keyId: caller.keyId }),
    at: services.now(),
    code: refusal.code,
    status: refusal.status,
    sentence: refusal.message,
    surface: surface.name,
    ...(model !== undefined && { model }),
    request: id,
  });
}
