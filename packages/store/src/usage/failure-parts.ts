import { HOUR } from "../engine/durations.ts";
import { idAt } from "../engine/id-time.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import { Parts } from "./parts.ts";
import { type Attempt, type FailedCall, isFailure, isRefused, type ServedEntry } from "./provider-calls.ts";
import { type FailurePart, KEPT_FAILURES } from "./provider-rows.ts";
import type { Entry } from "./sums.ts";

/** What is stored beside the counts: failed calls, and entries that this process sees for the first time. */
interface Rest {
  failures: readonly FailedCall[];
  served: readonly ServedEntry[];
}

/**
 * Counts the calls of providers that failed, or that another call followed. The sums count all other calls, as
 * requests.
 */
export class FailureParts extends Parts<FailurePart> {
  readonly #nextName: () => string;
  readonly #knownEntries = new Set<string>();
  #served: ServedEntry[] = [];
  /**
   * The last failed calls of each provider. Each has a limit of its own, so that one with thousands of failures does
   * not displace those of others.
   */
  #failures = new Map<string, FailedCall[]>();

  constructor(most: number, nextName: () => string) {
    super(most);
    this.#nextName = nextName;
  }

  override get changed(): number {
    return super.changed + this.#failures.size + this.#served.length;
  }

  /** True if a generation has something to add. */
  isNews({ entry, status }: Entry, { attempts }: JsonObject): boolean {
    if (entry !== null && !this.#knownEntries.has(entry)) return true;
    return Array.isArray(attempts) && (attempts.length > 1 || status === "failed");
  }

  /**
   * Adds the calls of a generation; false if there is no room for them. If the route has a `fault` of its own, then
   * this service, a guard or the request failed, and the last call did not.
   */
  add(id: string, end: Entry, { provider, name, attempts, fault }: JsonObject): boolean {
    const { entry, model, status } = end;
    if (entry !== null && !this.#knownEntries.has(entry)) {
      this.#knownEntries.add(entry);
      if (typeof provider === "string" && typeof name === "string")
        this.#served.push({ entry, provider, name, model });
    }
    const all = (Array.isArray(attempts) ? attempts : []) as unknown as readonly Attempt[];
    let isAdded = true;
    for (const [at, attempt] of all.entries()) {
      const isLast = at === all.length - 1;
      // The last call succeeded, but its answer broke off.
      const isBroken = isLast && status === "failed" && fault === undefined && !isRefused(attempt);
      const failed = isBroken ? { ...attempt, fault: "incomplete" } : attempt;
      if (isRefused(failed)) this.#fail(id, end, failed, at);
      if (!isLast || isFailure(failed)) isAdded = this.#count(end, failed, isLast ? 0 : 1) && isAdded;
    }
    return isAdded;
  }

  #count({ at }: Entry, attempt: Attempt, retried: number): boolean {
    const hour = at - (at % HOUR);
    const { entry } = attempt;
    const make = () => ({ hour, entry, retried: 0, failed: 0 });
    const part = this.touch(`${hour} ${entry}`, make, this.#nextName);
    if (!part) return false;
    part.retried += retried;
    if (isFailure(attempt)) part.failed += 1;
    return true;
  }

  #fail(id: string, end: Entry, { entry, provider, status, fault }: Attempt, attempt: number): void {
    const at = end.at + (end.duration ?? 0);
    const failures = this.#of(provider);
    if (failures.length >= KEPT_FAILURES) failures.shift();
    failures.push({
      id: idAt(at) + this.#nextName().padStart(20, "0"),
      ...{ provider, entry, model: end.model, accountId: end.account },
      ...{ generation: id, createdAt: end.at, attempt, at },
      ...(status !== undefined && { status }),
      ...(fault !== undefined && { fault }),
    });
  }

  #of(provider: string): FailedCall[] {
    const failures = this.#failures.get(provider) ?? [];
    if (failures.length === 0) this.#failures.set(provider, failures);
    return failures;
  }

  takeRest(): Rest {
    const rest = { failures: [...this.#failures.values()].flat(), served: this.#served };
    [this.#failures, this.#served] = [new Map(), []];
    return rest;
  }

  /** Takes back what could not be written, to write it again. */
  putBackRest({ failures, served }: Rest): void {
    for (const [provider, earlier] of Map.groupBy(failures, (one) => one.provider))
      this.#failures.set(provider, [...earlier, ...this.#of(provider)].slice(-KEPT_FAILURES));
    this.#served = [...served, ...this.#served];
  }
}
