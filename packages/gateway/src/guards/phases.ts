import type { GuardPhase } from "../ports/guards.ts";

const phases: Record<GuardPhase, true> = { request: true, reply: true };

/** What a guard may check. */
export const GUARD_PHASES = Object.keys(phases) as readonly GuardPhase[];
