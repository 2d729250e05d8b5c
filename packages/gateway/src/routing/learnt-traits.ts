import type { Traits } from "@manifold-gateway/core/codec";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import type { Entry } from "../ports/catalog.ts";
import type { Learnt, LearntTraits, Lesson } from "../ports/routing.ts";

/** Milliseconds for which a lesson holds: a provider's models change. */
const DAY = 86_400_000;
/** The most lessons about one model, and the most models with any. The oldest give way. */
const MOST_LESSONS = 8;
const MOST_MODELS = 500;

const keyOf = ({ provider, name }: Pick<Entry, "provider" | "name">, protocol: UpstreamProtocol): string =>
  JSON.stringify([provider, name, protocol]);

/** What several lessons say together: a later one counts. */
const learntFrom = (lessons: readonly Lesson[]): Learnt => ({
  lessons,
  traits: Object.assign({}, ...lessons.map(({ traits }) => traits)) as Traits,
});

/** Keeps what providers' refusals have shown of their models, in this process. */
export function createLearntTraits(now: () => number): LearntTraits {
  const models = new Map<string, Learnt>();
  const put = (key: string, lessons: readonly Lesson[]): void => {
    models.delete(key);
    if (lessons.length > 0) models.set(key, learntFrom(lessons));
    if (models.size > MOST_MODELS) models.delete(models.keys().next().value as string);
  };
  const of = (entry: Pick<Entry, "provider" | "name">, protocol: UpstreamProtocol): Learnt | undefined => {
    // Nearly always empty: then no key is made.
    if (models.size === 0) return undefined;
    const key = keyOf(entry, protocol);
    const learnt = models.get(key);
    const at = now();
    if (!learnt?.lessons.some(({ until }) => until <= at)) return learnt;
    put(
      key,
      learnt.lessons.filter(({ until }) => until > at),
    );
    return models.get(key);
  };
  return {
    of,
    add({ provider, name }, protocol, { traits, because }) {
      const at = now();
      const lesson: Lesson = { provider, name, protocol, traits, because, at, until: at + DAY };
      const before = of(lesson, protocol)?.lessons ?? [];
      put(keyOf(lesson, protocol), [...before, lesson].slice(-MOST_LESSONS));
      return lesson;
    },
    forget(lesson) {
      const left = of(lesson, lesson.protocol)?.lessons.filter((other) => other !== lesson);
      if (left) put(keyOf(lesson, lesson.protocol), left);
    },
    all() {
      const at = now();
      return [...models.values()].flatMap(({ lessons }) => lessons.filter(({ until }) => until > at));
    },
  };
}
