import { parseJson, type Traits } from "@manifold-gateway/core/codec";
import { isReadableStatus, type RefusalReading, readRefusal } from "../refusals/read-refusal.ts";
import type { Payload, UpstreamResponse } from "../transport/transport.ts";
import { UpstreamBody } from "../transport/upstream-body.ts";
import type { LearntTraits, Lesson, ProviderModel } from "./lessons.ts";
import { type ServedModel, type TraitedModel, traitsOf } from "./traits.ts";

/** The longest error body that is read as a refusal, in bytes. */
const LONGEST = 64 * 1024;

/** A plan whose request may be adapted. */
export interface AdaptablePlan {
  /** The model that the request is for. */
  resolution: ServedModel & { entry: TraitedModel & ProviderModel };
  /** The body to send. */
  body: Payload;
}

/** The plan of a call, and its answer. */
export interface PlannedAnswer<Plan> {
  /** The plan of the last call. */
  plan: Plan;
  /** The answer to it. */
  response: UpstreamResponse;
}

/** What a program does for the adaptation of its requests. */
export interface Adapting<Plan> {
  /** What refusals have shown so far. */
  learnt: LearntTraits;
  /** Reads the whole body of an answer, within the program's limits of size and time. */
  read(body: UpstreamBody): Promise<Uint8Array>;
  /** Checks whether the request is translated; others are the caller's own, and are left as they are. */
  isTranslated(plan: Plan): boolean;
  /** Removes secrets from an error body. Default: it is read as it came. */
  hide?(text: string, plan: Plan): string;
  /** The plan with what is learnt by now; `undefined` if the caller's rules reject it. */
  planAgain(plan: Plan): Plan | undefined;
  /** Checks whether another call may be made: there are calls left, and someone waits for the answer. */
  mayCall(): boolean;
  /** Calls the provider once more, with the adapted plan. */
  callAgain(plan: Plan, reading: RefusalReading): Promise<UpstreamResponse>;
}

/** A refusal, and the plan that is adapted to it. */
interface Adaptation<Plan> {
  reading: RefusalReading;
  plan: Plan;
  /** Absent if another request taught it meanwhile. */
  lesson: Lesson | undefined;
}

/**
 * Adapts a translated request to its provider's refusal and sends it again: nothing was generated for the first call, so
 * nothing can have been charged. A second refusal is adapted to if it has other words, as long as calls are left: a
 * request of another protocol may break several rules of a model, and a provider says one at a time. Returns the refusal
 * if the request cannot be adapted, or if the caller does not accept what would be lost.
 */
export async function adaptToRefusal<Plan extends AdaptablePlan>(
  answered: PlannedAnswer<Plan>,
  adapting: Adapting<Plan>,
): Promise<PlannedAnswer<Plan>> {
  const { learnt } = adapting;
  const forms = new Set<string>();
  let last: Adaptation<Plan> | undefined;
  for (let current = answered; ; ) {
    const { plan, response } = current;
    if (last?.lesson && response.status < 400) learnt.prove(last.lesson);
    if (!adapting.isTranslated(plan) || !isReadableStatus(response.status)) return current;
    const { bytes, ...refused } = await readAnswer(current, adapting);
    const next = learnFrom(refused, bytes, adapting);
    // Other words show that the cause before is gone.
    if (last?.lesson) next ? learnt.prove(last.lesson) : learnt.retract(last.lesson);
    if (!next || forms.has(next.reading.form) || !adapting.mayCall()) return refused;
    forms.add(next.reading.form);
    last = next;
    current = { plan: next.plan, response: await adapting.callAgain(next.plan, next.reading) };
  }
}

/** Reads an answer's bytes, which can be read again afterwards. They are undefined if reading failed. */
async function readAnswer<Plan>(
  { plan, response }: PlannedAnswer<Plan>,
  { read }: Pick<Adapting<Plan>, "read">,
): Promise<PlannedAnswer<Plan> & { bytes: Uint8Array | undefined }> {
  const body = new UpstreamBody({ pause() {}, resume() {}, abort() {} });
  let bytes: Uint8Array | undefined;
  try {
    bytes = await read(response.body);
    body.push(bytes);
    body.finish();
  } catch (error) {
    body.fail(error as Error);
  }
  return { plan, response: { ...response, body }, bytes };
}

/** Learns from a refusal, if that changes the request. */
function learnFrom<Plan extends AdaptablePlan>(
  { plan, response }: PlannedAnswer<Plan>,
  bytes: Uint8Array | undefined,
  { learnt, hide, planAgain }: Adapting<Plan>,
): Adaptation<Plan> | undefined {
  if (!bytes || bytes.length > LONGEST) return undefined;
  const { entry, provider, protocol } = plan.resolution;
  const known = learnt.of(entry, protocol);
  const text = new TextDecoder().decode(bytes);
  const reading = readText(
    hide?.(text, plan) ?? text,
    response.status,
    traitsOf(entry, provider, protocol, known),
  );
  if (!reading) return undefined;
  const before = known?.lessons.find(({ because }) => because === reading.because);
  const lesson = before ? undefined : learnt.add(entry, protocol, reading);
  const taught = before ?? lesson;
  if (!taught) return undefined;
  const adapted = planAgain(plan);
  if (adapted && adapted.body !== plan.body) return { reading, plan: adapted, lesson };
  if (adapted) learnt.reject(taught);
  else if (lesson) learnt.retract(lesson);
  return undefined;
}

const readText = (text: string, status: number, traits: Traits): RefusalReading | undefined =>
  readRefusal(status, parseJson(text) ?? text, traits);
