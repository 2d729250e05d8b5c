import type { AttemptWatch, JobWatch, ObservedAttempt, Observer, Watch } from "../ports/observer.ts";

/** Combines observers into one; `undefined` if there are none. */
export function combineObservers(observers: readonly Observer[]): Observer | undefined {
  if (observers.length < 2) return observers[0];
  return {
    started(request) {
      const watches = present(observers.map((observer) => observer.started(request)));
      return watches.length === 0 ? undefined : bothWatches(watches);
    },
    stepped(job) {
      const watches = present(observers.map((observer) => observer.stepped?.(job)));
      return watches.length === 0 ? undefined : bothSteps(watches);
    },
    delivered(delivery) {
      for (const observer of observers) observer.delivered?.(delivery);
    },
  };
}

const bothWatches = (watches: readonly Watch[]): Watch => ({
  admitted(caller) {
    for (const watch of watches) watch.admitted?.(caller);
  },
  attempt: (attempt) => attemptOf(watches, attempt),
  ordered(id) {
    for (const watch of watches) watch.ordered?.(id);
  },
  firstByte() {
    for (const watch of watches) watch.firstByte?.();
  },
  settled(generation) {
    for (const watch of watches) watch.settled?.(generation);
  },
  guarded(decision) {
    for (const watch of watches) watch.guarded?.(decision);
  },
  cached(answer) {
    for (const watch of watches) watch.cached?.(answer);
  },
  unpriced(answer) {
    for (const watch of watches) watch.unpriced?.(answer);
  },
  impossible(answer) {
    for (const watch of watches) watch.impossible?.(answer);
  },
  ended(status) {
    for (const watch of watches) watch.ended?.(status);
  },
});

const bothSteps = (watches: readonly JobWatch[]): JobWatch => ({
  attempt: (attempt) => attemptOf(watches, attempt),
  settled(end) {
    for (const watch of watches) watch.settled?.(end);
  },
  ended(fault) {
    for (const watch of watches) watch.ended?.(fault);
  },
});

function attemptOf(watches: readonly Pick<Watch, "attempt">[], attempt: ObservedAttempt) {
  const attempts = present(watches.map((watch) => watch.attempt?.(attempt)));
  return attempts.length === 0 ? undefined : bothAttempts(attempts);
}

const bothAttempts = (attempts: readonly AttemptWatch[]): AttemptWatch => ({
  headers: Object.assign({}, ...attempts.map(({ headers }) => headers)) as Record<string, string>,
  answered(status) {
    for (const attempt of attempts) attempt.answered?.(status);
  },
  failed(fault) {
    for (const attempt of attempts) attempt.failed?.(fault);
  },
});

const present = <T>(list: readonly (T | undefined)[]): T[] => list.filter((one) => one !== undefined);
