import { contest } from "../contest.ts";
import { sizeOf } from "../databases.ts";
import { fill } from "../fill.ts";
import type { Report, Row } from "../report.ts";
import type { Rig } from "../rig.ts";
import { openStore } from "../servers/seed.ts";
import { WORKS } from "./throughput.ts";

const RECORDS = [0, 1_000_000, 5_000_000];
/** Busy ones, so that filling takes minutes. */
const ACCOUNTS = 20;

/** What a small request costs while the database grows. */
export async function benchGrowth(title: string, rig: Rig, report: Report): Promise<void> {
  const rows: Row[] = [];
  const dispatch = await rig.baseline("dispatch");
  for (const chosen of rig.variants) {
    const variant = { ...chosen, accounts: ACCOUNTS };
    const store = await rig.database(variant);
    let filled = 0;
    let first: number | undefined;
    for (const records of RECORDS.map((count) => count / rig.less)) {
      const began = performance.now();
      const opened = await openStore({ store, records: "none" });
      await fill(opened, records - filled, ACCOUNTS);
      await opened.close();
      filled = records;
      const seconds = (performance.now() - began) / 1_000;
      const gigabytes = (await sizeOf(store)) / 1e9;
      const gateway = await rig.gateway(variant, store);
      const entrants = [dispatch, gateway].map((target) => ({ target, work: WORKS.small }));
      const [base, own] = await contest(entrants, rig);
      await rig.end(gateway);
      const cpu = own?.cpu ?? Number.NaN;
      first ??= cpu;
      rows.push({
        target: `${variant.name}, ${records.toLocaleString("en")} records`,
        value: `${own?.rate.toFixed(0)}/s`,
        cpu: `${cpu.toFixed(1)} µs`,
        relative: `${(cpu / (base?.cpu ?? Number.NaN)).toFixed(2)} × dispatch, ${(cpu / first).toFixed(2)} × empty`,
        also: `${gigabytes.toFixed(1)} GB, filled in ${seconds.toFixed(0)} s`,
      });
    }
  }
  report.add(title, rows);
}
