import { toAuditEntry } from "@manifold-gateway/gateway/admin";
import type { AuditFilter, Store } from "@manifold-gateway/store";
import type { Run } from "./call.ts";
import { withStore } from "./command.ts";
import { findAccount } from "./lookup.ts";
import { showAll } from "./show.ts";

const PAGE = 100;
const COLUMNS = ["createdAt", "actor", "action", "accountId", "subject", "before", "after"];

async function* entriesOf(store: Store, filter: AuditFilter) {
  for (let offset = 0; ; offset += PAGE) {
    const { results } = await store.auditLog.list(filter, { offset, limit: PAGE });
    yield* results.map(toAuditEntry);
    if (results.length < PAGE) return;
  }
}

export const auditLog: Run = (call) =>
  withStore(call, async (store) => {
    const { account } = call.options;
    const filter = account === undefined ? {} : { accountId: (await findAccount(store, account)).id };
    await showAll(call, COLUMNS, entriesOf(store, filter));
    return 0;
  });
