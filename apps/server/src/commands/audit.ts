import { AUDITED } from "@manifold-gateway/gateway/admin";
import type { Run } from "./call.ts";
import { byCommand, withStore } from "./command.ts";
import { showAll } from "./show.ts";

const COLUMNS = ["invariant", "subject", "expected", "actual"];

export const audit: Run = (call) =>
  withStore(call, async (store) => {
    const describe = (text: string): void => {
      if (!call.options.json) call.print(text);
    };
    if (call.options.repair) {
      const hours = await store.usage.repair();
      if (hours > 0) describe(`${hours} sums of hours were recomputed`);
    }
    const differences = await store.money.audit();
    if (differences.length === 0) describe("no difference");
    else
      await showAll(
        call,
        COLUMNS,
        differences.map((difference) => ({ ...difference })),
      );
    await store.auditLog.add(byCommand(), {
      action: AUDITED,
      after: { differences: differences.length },
    });
    return differences.length === 0 ? 0 : 1;
  });
