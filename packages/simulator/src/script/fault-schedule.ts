import { digest } from "../content/digest.ts";
import { kindOf, Refusal } from "../refusal.ts";
import type { Fault } from "./faults.ts";

/** The fault of a request, unless it has happened as often as it should. */
export function dueFault(happened: Map<string, number>, fault: Fault | undefined, text: string): Fault {
  if (!fault?.times) return fault ?? {};
  const key = digest(JSON.stringify(fault), text);
  const count = happened.get(key) ?? 0;
  happened.set(key, count + 1);
  return count < fault.times ? fault : {};
}

/** Refuses a request whose fault is a status, unless it is to come later in the answer. */
export function failWith(fault: Fault, inStream: boolean): void {
  if (fault.status === undefined || fault.html || (inStream && fault["error-after"] !== undefined)) return;
  throw faultRefusal(fault);
}

export function faultRefusal(fault: Fault): Refusal {
  const status = fault.status ?? 500;
  return new Refusal(kindOf(status), `Simulated failure with status ${status}.`, {
    status,
    retryAfter: fault["retry-after"],
  });
}
