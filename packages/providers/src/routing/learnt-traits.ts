import type { Traits } from "@manifold-gateway/core/codec";
import type { UpstreamProtocol } from "../provider.ts";
import type { Learnt, LearntTraits, Lesson, ProviderModel } from "./lessons.ts";

/** Milliseconds for which a lesson holds: a provider's models change. */
const DAY = 86_400_000;
/** The most lessons about one model, and the most models with any. The oldest give way. */
const MOST_LESSONS = 8;
const MOST_MODELS = 500;

/** What is known of a model on a protocol: what was learnt, and the words that led to nothing, with their end. */
interface Experience {
  learnt: Learnt | undefined;
  useless: ReadonlyMap<string, number>;
}
const nothing: Experience = { learnt: undefined, useless: new Map() };

const keyOf = ({ provider, name }: ProviderModel, protocol: UpstreamProtocol): string =>
  JSON.stringify([provider, name, protocol]);

/** What several lessons say together: a later one counts. */
const learntFrom = (lessons: readonly Lesson[]): Learnt | undefined =>
  lessons.length === 0
    ? undefined
    : { lessons, traits: Object.assign({}, ...lessons.map(({ traits }) => traits)) as Traits };

/** Keeps what providers' refusals have shown of their models, in this process. */
export function createLearntTraits(now: () => number): LearntTraits {
  const models = new Map<string, Experience>();
  const proven = new WeakSet<Lesson>();
  const update = (key: string, change: Partial<Experience>): void => {
    const known = { ...(models.get(key) ?? nothing), ...change };
    models.delete(key);
    if (known.learnt || known.useless.size > 0) models.set(key, known);
    if (models.size > MOST_MODELS) models.delete(models.keys().next().value as string);
  };
  const of = (model: ProviderModel, protocol: UpstreamProtocol): Learnt | undefined => {
    // Nearly always empty: then no key is made.
    if (models.size === 0) return undefined;
    const key = keyOf(model, protocol);
    const learnt = models.get(key)?.learnt;
    const at = now();
    if (!learnt?.lessons.some(({ until }) => until <= at)) return learnt;
    const left = learntFrom(learnt.lessons.filter(({ until }) => until > at));
    update(key, { learnt: left });
    return left;
  };
  const retract = (lesson: Lesson): void => {
    const left = of(lesson, lesson.protocol)?.lessons.filter((other) => other !== lesson);
    if (left) update(keyOf(lesson, lesson.protocol), { learnt: learntFrom(left) });
  };
  return {
    of,
    add({ provider, name }, protocol, { traits, because }) {
      const at = now();
      const lesson: Lesson = { provider, name, protocol, traits, because, at, until: at + DAY };
      const key = keyOf(lesson, protocol);
      if ((models.get(key)?.useless.get(because) ?? 0) > at) return undefined;
      const before = of(lesson, protocol)?.lessons ?? [];
      update(key, { learnt: learntFrom([...before, lesson].slice(-MOST_LESSONS)) });
      return lesson;
    },
    prove: (lesson) => void proven.add(lesson),
    retract,
    reject(lesson) {
      if (proven.has(lesson)) return;
      retract(lesson);
      const key = keyOf(lesson, lesson.protocol);
      const before = [...(models.get(key)?.useless ?? [])];
      update(key, {
        useless: new Map([...before, [lesson.because, lesson.until] as const].slice(-MOST_LESSONS)),
      });
    },
    all() {
      const at = now();
      return [...models.values()].flatMap(({ learnt }) =>
        (learnt?.lessons ?? []).filter(({ until }) => until > at),
      );
    },
  };
}
