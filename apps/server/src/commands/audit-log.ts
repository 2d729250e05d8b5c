import { toAuditEntry } from "@manifold-gateway/gateway/admin";
import { type Command, withStore } from "./command.ts";
import { findAccount } from "./lookup.ts";

const PAGE = 100;

export const auditLog: Command = {
  usage: [["[--account ACCOUNT]", "list who changed what, newest first"]],
  run: (call) =>
    withStore(call, async (store) => {
      const { account } = call.options;
      const filter = account === undefined ? {} : { accountId: (await findAccount(store, account)).id };
      for (let offset = 0; ; offset += PAGE) {
        const { results } = await store.auditLog.list(filter, { offset, limit: PAGE });
        for (const entry of results) call.print(JSON.stringify(toAuditEntry(entry)));
        if (results.length < PAGE) return 0;
      }
    }),
};
