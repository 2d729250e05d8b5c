import { causeFields } from "../http/fault.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import type { Guard, GuardDecision, GuardedText, GuardPhase } from "../ports/guards.ts";
import { askGuard, type GuardAnswer, GuardFailure } from "./ask-guard.ts";

type Deps = Context<"guards" | "log" | "now" | "steady" | "transport">;

/** The guards that check a phase of a caller's requests. */
export const guardsOf = (
  { services: { guards }, caller }: Pick<Context<"guards">, "services" | "caller">,
  phase: GuardPhase,
): readonly Guard[] =>
  guards.filter(
    ({ phases, accounts }) =>
      phases.includes(phase) && (accounts === undefined || accounts.includes(caller.accountId)),
  );

/** Has the texts of one request checked, and records the decisions. */
export class GuardChecker {
  readonly #context: Deps;
  readonly #phase: GuardPhase;
  readonly #guards: readonly Guard[];
  /** The decisions of this phase, by guard. */
  readonly #decisions = new Map<Guard, GuardDecision>();
  #isStream = false;

  constructor(context: Deps, phase: GuardPhase, guards: readonly Guard[]) {
    this.#context = context;
    this.#phase = phase;
    this.#guards = guards;
  }

  get hasMasked(): boolean {
    return [...this.#decisions.values()].some(({ decision }) => decision === "masked");
  }

  /** Declares that the texts are those of a stream, whose head is sent before all decisions are made. */
  announce(): void {
    this.#isStream = true;
    this.#stamp();
  }

  /**
   * Asks the guards one after another, each about the texts as the previous one changed them. Returns the changed texts
   * by their places. Throws a refusal if a guard refuses, or gives no answer and is required.
   */
  async check(texts: readonly GuardedText[]): Promise<ReadonlyMap<string, string>> {
    let present = texts;
    const changed = new Map<string, string>();
    for (const guard of this.#guards) {
      if (present.length === 0) break;
      const decision = this.#decisionOf(guard);
      const answer = await this.#ask(guard, decision, present);
      if (answer.decision === "refuse") throw this.#refusal(guard, answer.reason);
      if (answer.decision !== "mask") continue;
      const before = new Map(present.map(({ place, text }) => [place, text]));
      const masked = answer.texts.filter(({ place, text }) => (before.get(place) ?? text) !== text);
      if (masked.length === 0) continue;
      decision.decision = "masked";
      decision.masked = (decision.masked ?? 0) + masked.length;
      for (const { place, text } of masked) changed.set(place, text);
      present = present.map((one) => ({ ...one, text: changed.get(one.place) ?? one.text }));
    }
    this.#stamp();
    return changed;
  }

  #decisionOf(guard: Guard): GuardDecision {
    let decision = this.#decisions.get(guard);
    if (!decision) {
      const { progress } = this.#context;
      decision = { guard: guard.id, phase: this.#phase, decision: "allowed", ms: 0 };
      this.#decisions.set(guard, decision);
      progress.guards = [...(progress.guards ?? []), decision];
    }
    return decision;
  }

  async #ask(guard: Guard, decision: GuardDecision, texts: readonly GuardedText[]): Promise<GuardAnswer> {
    const { id, services, caller, surface, options, watch } = this.#context;
    const began = services.steady();
    const request = {
      ...{ id, account: caller.accountId, key: caller.keyId },
      ...{ surface: surface.name, user: options.labels.user },
    };
    try {
      const answer = await askGuard(guard, this.#phase, request, texts, {
        question: crypto.randomUUID(),
        transport: services.transport,
        now: services.now(),
      });
      if (answer.reason !== undefined) decision.reason = answer.reason;
      if (answer.decision === "refuse") decision.decision = "refused";
      return answer;
    } catch (error) {
      if (!(error instanceof GuardFailure)) throw error;
      decision.decision = "unanswered";
      services.log.warn(
        { request: id, guard: guard.id, phase: this.#phase, error: error.message, ...causeFields(error) },
        "guard gave no answer",
      );
      if (guard.onFailure === "allow") return { decision: "allow", reason: undefined };
      this.#stamp();
      throw new Refusal(
        "guard_unavailable",
        `The guard ${quote(guard.id)} gave no answer, and nothing passes without it.`,
        { headers: { "retry-after": "1" } },
      );
    } finally {
      decision.ms += Math.round(services.steady() - began);
      watch?.guarded?.(decision);
    }
  }

  #refusal({ id }: Guard, reason: string | undefined): Refusal {
    this.#stamp();
    return new Refusal(
      "guard_refused",
      `The guard ${quote(id)} refused the ${this.#phase}${reason === undefined ? "." : `: ${reason}`}`,
    );
  }

  /** Writes the decisions so far into the headers of the answer. */
  #stamp(): void {
    const { progress, exchange } = this.#context;
    const made = (progress.guards ?? []).filter(({ phase }) => !this.#isStream || phase !== this.#phase);
    const stated = made.map(({ guard, phase, decision }) => `${guard};${phase}=${decision}`);
    const checked = this.#isStream ? this.#guards.map(({ id }) => `${id};${this.#phase}=by sentence`) : [];
    exchange.sink.stamp = { ...exchange.sink.stamp, "x-guard": [...stated, ...checked].join(", ") };
  }
}
