import { parseJson } from "@manifold-gateway/core/codec";
import {
  isReadableStatus,
  type RefusalReading,
  readRefusal,
  secretsOf,
  UpstreamBody,
} from "@manifold-gateway/providers";
import { traitsOf } from "@manifold-gateway/providers/routing";
import { hideSecrets } from "../generation/hide-secrets.ts";
import { callAgain } from "../generation/provider-calls.ts";
import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import type { LearntTraits, Lesson } from "../ports/routing.ts";
import type { Plan } from "./plan.ts";
import type { AnsweredText } from "./reply.ts";

/** The longest error body that is read as a refusal, in bytes. */
const LONGEST = 64 * 1024;

/**
 * Adapts a translated request to its provider's refusal and sends it again: nothing was generated for the first call, so
 * nothing can have been charged. A second refusal is adapted to if it has other words, as long as calls are left: a
 * request of another protocol may break several rules of a model, and a provider says one at a time. Returns the refusal
 * if the request cannot be adapted, or if the caller does not accept what would be lost.
 */
export async function adaptToRefusal(
  context: Context<"limits" | "log" | "routing">,
  answered: AnsweredText,
): Promise<AnsweredText> {
  const { services, exchange } = context;
  const { learnt, maxAttempts } = services.routing;
  const { trace } = answered;
  if (!learnt) return answered;
  const forms = new Set<string>();
  let last: Adaptation | undefined;
  for (let current = answered; ; ) {
    if (last?.lesson && current.response.status < 400) learnt.prove(last.lesson);
    const { ask, plan, response: answer } = current;
    if (plan.upstream.protocol === ask.codec.protocol || !isReadableStatus(answer.status)) return current;
    const refused = await readAnswer(current, services.limits.answer);
    const next = learn(refused, learnt);
    // Other words show that the cause before is gone.
    if (last?.lesson) next ? learnt.prove(last.lesson) : learnt.takeBack(last.lesson);
    if (!next || forms.has(next.reading.form) || trace.attempts.length >= maxAttempts || exchange.sink.closed)
      return refused;
    forms.add(next.reading.form);
    last = next;
    // A server whose template failed has generated nothing, whatever its status says.
    delete trace.attempts.at(-1)?.perhapsCharged;
    const { because } = next.reading;
    const { id: entry } = current.plan.resolution;
    services.log.info({ request: context.id, entry, because }, "request adapted to a provider's refusal");
    const { response } = await callAgain(context, refused, next.plan);
    current = { ...answered, plan: next.plan, response };
  }
}

/** An answer whose bytes were read, and can be read again. */
interface ReadAnswer extends AnsweredText {
  bytes: Uint8Array | undefined;
}

async function readAnswer(answered: AnsweredText, limit: number): Promise<ReadAnswer> {
  const body = new UpstreamBody({ pause() {}, resume() {}, abort() {} });
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

/** Learns from a refusal, if that changes the request. */
function learn(answer: ReadAnswer, learnt: LearntTraits): Adaptation | undefined {
  const { plan } = answer;
  const { entry, provider, protocol } = plan.resolution;
  const known = learnt.of(entry, protocol);
  const reading = readAs(answer, traitsOf(entry, provider, protocol, known));
  if (!reading) return undefined;
  const before = known?.lessons.find(({ because }) => because === reading.because);
  const lesson = before ? undefined : learnt.add(entry, protocol, reading);
  const taught = before ?? lesson;
  if (!taught) return undefined;
  const adapted = planAgain(answer);
  if (adapted && adapted.body !== plan.body) return { reading, plan: adapted, lesson };
  if (adapted) learnt.reject(taught);
  else if (lesson) learnt.takeBack(lesson);
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

/** The plan with what is learnt by now, perhaps on another protocol; `undefined` if the caller's rules refuse it. */
function planAgain({ plan, planner, route }: AnsweredText): Plan | undefined {
  const candidate = route.rules.fit(plan.resolution);
  if ("why" in candidate) return undefined;
  try {
    return planner.plan(candidate);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
