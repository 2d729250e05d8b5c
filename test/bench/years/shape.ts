import { monthAfter, monthOf, startOf } from "../../../packages/store/src/engine/month.ts";
import { windowsOf } from "../../../packages/store/src/pricing/cap-windows.ts";

/** The accounts, each with one key. */
export const ACCOUNTS = 10_000;
/** The records of an account that follow each other, as those of an agent do, and are charged together. */
export const RUN = 20;
const HOUR = 3_600_000;

export const PRICE = '{"input":1000000,"output":2000000}';
/** The route that a record of one attempt has, without its request's id. */
export const ENTRY = "e08ee221111";
export const ROUTE =
  '{"provider":"same","name":"bench","entry":"e08ee221111","attempts":[{"provider":"same","name":"bench","protocol":"chatstyle","status":200,"firstByteMs":3,"ms":12}]}';
/** The cost of the usage below at the price above, in micro-USD. */
export const COST = 860;
export const USAGE =
  '{"requests":1,"input":500,"output":180,"promptTokens":500,"completionTokens":180,"totalTokens":680}';
export const CREDIT = 1_000_000_000_000;

/** An hour of the fill: its beginning, the number of its records, and the names of the windows of caps. */
export interface HourOfRecords {
  at: number;
  records: number;
  daily: string;
  weekly: string;
  monthly: string;
}

/** Twelve months and the one of `now` until then, with so many records in all, spread evenly over their hours. */
export function* months(now: number, total: number): Generator<{ month: string; hours: HourOfRecords[] }> {
  const first = monthAfter(monthOf(now), -12);
  const span = (now - startOf(first)) / HOUR;
  let written = 0;
  let number = 0;
  for (let month = first; month <= monthOf(now); month = monthAfter(month)) {
    const hours: HourOfRecords[] = [];
    for (let at = startOf(month); at < Math.min(now, startOf(monthAfter(month))); at += HOUR) {
      number += 1;
      const records = Math.min(total, Math.round((total * number) / span)) - written;
      written += records;
      hours.push({ at, records, ...windowsOf(at) });
    }
    yield { month, hours };
  }
}
