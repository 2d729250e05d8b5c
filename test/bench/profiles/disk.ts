import { setTimeout } from "node:timers/promises";
import type { Variant } from "../choice.ts";
import { sizeOf } from "../databases.ts";
import { flood } from "../load.ts";
import type { Report, Row } from "../report.ts";
import { type GatewayTarget, loadOf, type Rig } from "../rig.ts";

const REQUESTS = 20_000;
/** Before: what is allotted once is no part of it. */
const FIRST = 2_000;
/** Contents are written a moment after their records. */
const AFTER_MS = 1_000;

async function sizeAfter(target: GatewayTarget, count: number): Promise<number> {
  await flood(loadOf(target), { count }, 32);
  await setTimeout(AFTER_MS);
  return sizeOf(target.store);
}

/** What the database grows by for a request, with what is asked kept and not. */
export async function benchDisk(title: string, rig: Rig, report: Report): Promise<void> {
  const rows: Row[] = [];
  const count = REQUESTS / rig.less;
  for (const store of new Set(rig.variants.map((variant) => variant.store)))
    for (const records of ["full", "none"] as const) {
      const name = `${store}, ${records === "full" ? "requests kept" : "requests not kept"}`;
      const variant: Variant = { name, store, kind: "billed", accounts: 1, processes: 1, records };
      const target = await rig.gateway(variant);
      const before = await sizeAfter(target, FIRST / rig.less);
      const bytes = ((await sizeAfter(target, count)) - before) / count;
      await rig.end(target);
      rows.push({ target: name, value: `${bytes.toFixed(0)} bytes a request` });
    }
  const text = loadOf(rig.direct).body.length;
  report.add(title, [...rows, { target: "the request itself", value: `${text} bytes` }]);
}
