import { Rejection } from "@manifold-gateway/core/plan";
import { hideSecrets } from "@manifold-gateway/core/reply";
import { secretsOf } from "@manifold-gateway/providers/provider";
import { type AnsweredCall, adaptToRefusal, type PlannedAnswer } from "@manifold-gateway/providers/routing";
import type { Calls } from "../calls/call-candidates.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import type { TextPlan, TextPlanner } from "./plan-text.ts";

/** The longest error body that is read, in bytes. */
const LONGEST = 16 * 1024 * 1024;

/** What is known of a refused request. */
export interface Refused {
  incoming: Incoming;
  services: Services;
  calls: Calls<TextPlan>;
  planner: TextPlanner;
  report: Report;
}

/** Returns the answer to an adapted request, or the refusal if it cannot be adapted. */
export type Adapt = (answered: AnsweredCall<TextPlan>, refused: Refused) => Promise<PlannedAnswer<TextPlan>>;

/** Adapts a request that its provider refuses because of its form, and sends it again; later requests are adapted too. */
export const adaptText: Adapt = (
  answered,
  { incoming, services: { learnt, routing }, calls, planner, report },
) =>
  adaptToRefusal<TextPlan>(answered, {
    learnt,
    read: (body) => body.bytes(LONGEST),
    isTranslated: ({ upstream }) => upstream.protocol !== incoming.codec.protocol,
    hide: (text, { resolution }) => hideSecrets(secretsOf(resolution.provider))(text),
    planAgain(plan) {
      const { learnt: _, ...candidate } = plan.resolution;
      const known = learnt.of(candidate.entry, candidate.protocol);
      try {
        return planner.plan({ ...candidate, ...(known && { learnt: known }) });
      } catch (error) {
        if (error instanceof Rejection) return undefined;
        throw error;
      }
    },
    mayCall: () => calls.count < routing.maxAttempts && !incoming.signal.aborted,
    callAgain: async (plan) => (await calls.again(answered, plan, report)).response,
  });
