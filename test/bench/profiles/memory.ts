import { open } from "../load.ts";
import type { Report, Row } from "../report.ts";
import { loadOf, type Rig, usageOf } from "../rig.ts";

const STREAMS = 5_000;

/** What a server holds for an open stream after a collection; its resident size moves by more for other reasons. */
export async function benchMemory(
  title: string,
  { baselines, gateways, less }: Rig,
  report: Report,
): Promise<void> {
  const rows: Row[] = [];
  const streams = STREAMS / less;
  for (const target of [...baselines, ...gateways]) {
    const before = await usageOf(target, true);
    if (!before) continue;
    const close = await open(loadOf(target, { stream: true, note: "[[hold]]" }), streams);
    const after = await usageOf(target, true);
    close();
    const bytes = ((after?.memory ?? Number.NaN) - before.memory) / streams;
    rows.push({ target: target.name, value: `${(bytes / 1_024).toFixed(1)} KB a stream` });
  }
  report.add(title, rows);
}
