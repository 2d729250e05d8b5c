import { parseJson } from "@manifold-gateway/core/codec";
import {
  isReadableStatus,
  type RefusalReading,
  readRefusal,
  secretsOf,
  UpstreamBody,
} from "@manifold-gateway/providers";
import { hideSecrets } from "../generation/hide-secrets.ts";
import { callAgain } from "../generation/provider-calls.ts";
import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import type { LearntTraits, Lesson } from "../ports/routing.ts";
import { traitsOf } from "../routing/traits.ts";
import type { Plan } from "./plan.ts";
import type { AnsweredText } from "./reply.ts";

/** The longest error body that is read as a refusal, in bytes. */
const LONGEST = 64 * 1024;

/**
 * Adapts a translated request to its provider's refusal and sends it once more: nothing was generated for the first
 * call, so nothing can have been charged. Returns the refusal if the request cannot be adapted, or if the caller does
 * not accept what would be lost.
 */
export async function adaptToRefusal(context: Context, answered: AnsweredText): Promise<AnsweredText> {
  const { services, exchange } = context;
  const { learnt, maxAttempts } = services.routing;
  const { plan, ask, trace, response } = answered;
  if (!learnt || plan.upstream === ask.codec || !isReadableStatus(response.status)) return answered;
  const refused = await readAnswer(answered, services.limits.answer);
  const first = learn(refused, learnt);
  if (!first || trace.attempts.length >= maxAttempts || exchange.sink.closed) return refused;
  // A server whose template failed has generated nothing, whatever its status says.
  delete trace.attempts.at(-1)?.perhapsCharged;
  const { id: entry } = plan.resolution;
  const { because } = first.reading;
  services.log.info({ request: context.id, entry, because }, "request adapted to a provider's refusal");
  const { response: second } = await callAgain(context, refused, first.plan);
  const again = { ...answered, plan: first.plan, response: second };
  if (!isReadableStatus(second.status)) return again;
  const refusedAgain = await readAnswer(again, services.limits.answer);
  // Another cause shows that the first one is gone.
  if (!learn(refusedAgain, learnt) && first.lesson) learnt.forget(first.lesson);
  return refusedAgain;
}

/** An answer whose bytes were read, and can be read again. */
interface ReadAnswer extends AnsweredText {
  bytes: Uint8Array | undefined;
}

async function readAnswer(answered: AnsweredText, limit: number): Promise<ReadAnswer> {
  const body = new UpstreamBody({ pause() {}, resume() {}, abort() {} }, undefined);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await answered.response.body.bytes(limit);
    body.push(bytes);
    body.finish();
  } catch (error) {
    body.fail(error as Error);
  }
  return { ...answered, response: { ...answered.response, body }, bytes };
}

/** A refusal, and the plan that is adapted to it. */
interface Adaptation {
  reading: RefusalReading;
  plan: Plan;
  /** Absent if another request taught it meanwhile. */
  lesson: Lesson | undefined;
}

/** Learns from a refusal, if that changes the request. A lesson that did not prevent its refusal is forgotten. */
function learn(answer: ReadAnswer, learnt: LearntTraits): Adaptation | undefined {
  const { plan, planner } = answer;
  const { resolution } = plan;
  const { entry, protocol } = resolution;
  const known = learnt.of(entry, protocol);
  const reading = readAs(answer, traitsOf(entry, resolution.provider, protocol, known));
  if (!reading) return undefined;
  const taught = known?.lessons.find(({ because }) => because === reading.because);
  const lesson = taught ? undefined : learnt.add(entry, protocol, reading);
  const now = learnt.of(entry, protocol);
  const adapted = planAgain(() => planner.plan(now ? { ...resolution, learnt: now } : resolution));
  if (adapted && adapted.body !== plan.body) return { reading, plan: adapted, lesson };
  const vain = lesson ?? (adapted && taught);
  if (vain) learnt.forget(vain);
  return undefined;
}

function readAs(
  { plan, response, bytes }: ReadAnswer,
  traits: Parameters<typeof readRefusal>[2],
): RefusalReading | undefined {
  if (!bytes || bytes.length > LONGEST) return undefined;
  const text = hideSecrets(secretsOf(plan.endpoint.provider))(new TextDecoder().decode(bytes));
  return readRefusal(response.status, parseJson(text) ?? text, traits);
}

/** The adapted plan; `undefined` if the caller's rules refuse it. */
function planAgain(plan: () => Plan): Plan | undefined {
  try {
    return plan();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
