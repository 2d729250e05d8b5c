import type { JsonObject } from "@manifold-gateway/core/codec";
import type { AuditEntry, By } from "@manifold-gateway/store";
import { networkOf } from "../http/caller-address.ts";
import { logFailure } from "../http/fault.ts";
import { momentOf } from "../http/moments.ts";
import type { RequestContext } from "../ports/context.ts";
import type { Services } from "../ports/services.ts";

/** A request in which a caller, an operator or an unknown client acts. */
export type Acting<Uses extends keyof Services> = Pick<RequestContext<Uses>, "id" | "exchange" | "services"> &
  Partial<Pick<RequestContext, "caller" | "operator">>;

/** Names who acts in a request, for the audit log. */
export function byOf({ id: request, operator, caller, exchange, services }: Acting<"addressOf" | "now">): By {
  const address = services.addressOf(exchange);
  const actor =
    operator !== undefined ? `operator:${operator}` : caller ? `account:${caller.accountId}` : "caller";
  return { actor, at: services.now(), request, ...(address !== undefined && { address }) };
}

/** Writes an act that the audit log records into the service's log too. */
export function note(
  context: Acting<"addressOf" | "now" | "log">,
  event: string,
  { account, key }: { account: string; key?: string },
): void {
  const { id: request, services } = context;
  services.log.info({ request, event, actor: byOf(context).actor, account, key }, "audit");
}

/** A request whose credential is refused. */
export type Refusing = Acting<"addressOf" | "now" | "log" | "refusals" | "store">;

/** Writes a refused credential into both logs, up to a limit for each network, so that no client can flood them. */
export async function noteRefused(context: Refusing, action: string, subject?: string): Promise<void> {
  const { id: request, services } = context;
  const by = byOf(context);
  if (services.refusals.take(by.address === undefined ? "" : networkOf(by.address)) > 0) return;
  services.log.warn({ request, event: action, login: subject, address: by.address }, "audit");
  try {
    await services.store.auditLog.add(by, { action, ...(subject !== undefined && { subject }) });
  } catch (error) {
    logFailure(services.log, error, { request }, "refused credential not recorded");
  }
}

/** An audit entry as operators see it, with amounts in micro-USD, as in the store. */
export const toAuditEntry = ({ at, ...entry }: AuditEntry): JsonObject => ({
  ...(entry as unknown as JsonObject),
  createdAt: momentOf(at),
});
