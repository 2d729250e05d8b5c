import {
  CAPS,
  type Cap,
  type CapStatus,
  type Caps,
  type Reservation,
  windowsOf,
} from "@manifold-gateway/store";
import type { Ended } from "../../packages/store/src/money/money.ts";
import type { Windows } from "../../packages/store/src/pricing/cap-windows.ts";
import { NOW } from "./fixtures.ts";

interface Hold {
  amount: number;
  keyId?: string;
  windows: Windows;
  ended: boolean;
  /** Recovery ended it, and its own process has not yet. */
  recovered: boolean;
  status?: string;
  cost: number;
  refunded: boolean;
  isFree: boolean;
  checkpoint?: number;
}

/** What money must do, in plain additions over everything that ever happened. */
export class Model {
  now = NOW;
  balance: number;
  readonly #holds = new Map<string, Hold>();
  readonly #caps = new Map<string, Caps>();

  constructor(balance: number) {
    this.balance = balance;
  }

  get held(): number {
    return this.#sum(({ ended, amount }) => (ended ? 0 : amount));
  }

  get open(): number {
    return this.#sum(({ ended }) => (ended ? 0 : 1));
  }

  /** Admitted, or what is available, or the caps in the way. */
  reserve({ generation, amount, at, policy, exact }: Reservation): true | number | Cap[] {
    const available = this.balance - this.held;
    const isFree =
      amount === 0 && generation.price !== undefined && Object.keys(generation.price).length === 0;
    const fits = (left: number, whole: boolean) => isFree || (left > 0 && (!whole || amount <= left));
    if (!fits(available, policy === "strict" || exact === true)) return available;
    const { id, keyId } = generation;
    const windows = windowsOf(at);
    if (keyId !== undefined) {
      const caps = this.#caps.get(keyId) ?? {};
      const inTheWay = CAPS.filter((cap) => {
        const used = this.#inWindow(keyId, cap, windows, ({ ended, cost, amount }) =>
          ended ? cost : amount,
        );
        return !fits((caps[cap] ?? Number.POSITIVE_INFINITY) - used, policy === "strict");
      });
      if (inTheWay.length > 0) return inTheWay;
    }
    const hold = { amount, windows, ended: false, recovered: false, cost: 0, refunded: false, isFree };
    this.#holds.set(id, keyId === undefined ? hold : { ...hold, keyId });
    return true;
  }

  /** An end that a generation's own process gives it. */
  end(id: string, status: string, cost: number): Ended["outcome"] {
    const hold = this.#holds.get(id)!;
    const isFinal = hold.ended && (!hold.recovered || hold.refunded);
    if (isFinal)
      return !hold.recovered && hold.status === status && hold.cost === cost ? "repeated" : "refused";
    const outcome = hold.ended ? "late" : "written";
    this.balance -= cost - hold.cost;
    Object.assign(hold, { ended: true, recovered: false, status, cost });
    return outcome;
  }

  refund(id: string, amount: number): boolean | "refused" {
    const hold = this.#holds.get(id)!;
    if (!hold.ended || amount > hold.cost) return "refused";
    if (hold.refunded) return false;
    hold.refunded = true;
    this.balance += amount;
    return true;
  }

  checkpoint(id: string, output: number): void {
    const hold = this.#holds.get(id)!;
    if (!hold.ended) hold.checkpoint = output;
  }

  recover(): { settled: number; released: number } {
    const counts = { settled: 0, released: 0 };
    for (const hold of this.#holds.values()) {
      if (hold.ended) continue;
      const { checkpoint, isFree } = hold;
      counts[checkpoint === undefined ? "released" : "settled"]++;
      const cost = isFree ? 0 : (checkpoint ?? 0);
      this.balance -= cost;
      Object.assign(hold, { ended: true, recovered: true, cost });
    }
    return counts;
  }

  setCap(keyId: string, cap: Cap, limit: number | null): void {
    const { [cap]: _, ...caps } = this.#caps.get(keyId) ?? {};
    this.#caps.set(keyId, limit === null ? caps : { ...caps, [cap]: limit });
  }

  status(keyId: string, windows: Windows): { [cap in Cap]?: CapStatus } {
    const status: { [cap in Cap]?: CapStatus } = {};
    for (const [cap, limit] of Object.entries(this.#caps.get(keyId) ?? {}) as [Cap, number][]) {
      const spent = this.#inWindow(keyId, cap, windows, ({ cost }) => cost);
      status[cap] = { limit, spent, remaining: Math.max(0, limit - spent) };
    }
    return status;
  }

  pick(number: number): string | undefined {
    const ids = [...this.#holds.keys()];
    return ids[number % ids.length];
  }

  #inWindow(keyId: string, cap: Cap, windows: Windows, of: (hold: Hold) => number): number {
    return this.#sum((hold) => (hold.keyId === keyId && hold.windows[cap] === windows[cap] ? of(hold) : 0));
  }

  #sum(of: (hold: Hold) => number): number {
    return [...this.#holds.values()].reduce((sum, hold) => sum + of(hold), 0);
  }
}
