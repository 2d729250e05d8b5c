import { once } from "node:events";
import { open } from "../load.ts";
import type { Report, Row } from "../report.ts";
import { loadOf, type Rig, type Target } from "../rig.ts";
import { WANTED, wantedOf } from "../wanted.ts";

const STREAMS = 5_000;

/** Bytes that a server holds after a garbage collection. */
async function heldBy({ child }: Target): Promise<number> {
  if (!child) return Number.NaN;
  const answer = once(child, "message");
  child.send({});
  return ((await answer) as [number])[0];
}

/** What a server holds for an open stream after a collection; its resident size moves by more for other reasons. */
export async function benchMemory(title: string, rig: Rig, report: Report): Promise<void> {
  const rows: Row[] = [];
  const streams = STREAMS / rig.less;
  const targets: Target[] = [await rig.baseline("dispatch")];
  for (const variant of rig.variants) targets.push(await rig.gateway(variant));
  for (const target of targets) {
    const before = await heldBy(target);
    const close = await open(loadOf(target, { stream: true, note: "[[hold]]" }), streams);
    const bytes = ((await heldBy(target)) - before) / streams;
    close();
    rows.push({
      target: target.name,
      value: `${(bytes / 1_024).toFixed(1)} KB a stream`,
      wanted: wantedOf(target, WANTED.memory),
    });
  }
  report.add(title, rows);
}
