import { digest } from "../content/digest.ts";
import type { MediaCall } from "../protocols/protocol.ts";
import { Refusal } from "../refusal.ts";
import { createFiles, type Files } from "./files.ts";
import { type Begun, createWorks, type Output, type Work, type Works } from "./media-jobs.ts";

/** The workshop of media: the works and the files they leave. */
export interface Studio {
  works: Works;
  files: Files;
  /** The number of works that requests with this digest have begun, counting this one. */
  count(hash: string): number;
  clear(): void;
}

export function createStudio(capacity: number): Studio {
  const works = createWorks(capacity);
  const files = createFiles();
  const counts = new Map<string, number>();
  return {
    works,
    files,
    count(hash) {
      const count = (counts.get(hash) ?? 0) + 1;
      counts.set(hash, count);
      return count;
    },
    clear() {
      for (const part of [works, files, counts]) part.clear();
    },
  };
}

type Wanted = Pick<Begun, "errors" | "outcome" | "make"> & {
  operation?: string;
  /** The vendor's form of an id, from a hex digest. */
  id?: (hash: string) => string;
};

/** Starts a work for a call. Two calls that are alike have two ids, as they have at the vendor. */
export function begin(call: MediaCall, { id = (hash) => hash, operation, ...wanted }: Wanted): Work {
  const { studio, entry, model, body, now } = call;
  const { refuse } = wanted.outcome;
  if (refuse !== undefined) {
    const code = refuse === "moderation" ? wanted.errors.moderation : refuse;
    throw new Refusal("invalid", `The request was refused as it was told to: ${refuse}.`, { code });
  }
  return studio.works.begin({
    ...wanted,
    id: id(digest(call.hash, String(studio.count(call.hash)))),
    operation: operation ?? entry.operation,
    protocol: entry.protocol,
    model,
    request: body,
    exchange: entry,
    now,
  });
}

/** Does a work at once, for the vendors that keep their clients waiting; its failure is the answer's. */
export function make(call: MediaCall, wanted: Wanted): Work {
  const work = call.studio.works.finish(begin(call, wanted), call.now);
  if (work.state === "succeeded") return work;
  const { code = work.state, message = `The work ended as ${work.state}.` } = work.error ?? {};
  throw new Refusal(code === wanted.errors.internal ? "internal" : "invalid", message, { code });
}

/** Puts an output under a link that lasts so many seconds. */
export function publish(
  call: Pick<MediaCall, "studio" | "origin" | "now">,
  { work, output, bytes, lifetime }: { work: Work; output: Output; bytes: () => Buffer; lifetime: number },
): string {
  const { studio, origin, now } = call;
  return studio.files.publish({ work, output, make: bytes, origin, now, lifetime });
}

/** The work a client may read: it counts as read, unless it is not found any more. */
export function readWork(call: MediaCall, id: string, fits: (work: Work) => boolean): Work | undefined {
  const work = call.studio.works.find(id);
  if (!work || !fits(work)) return undefined;
  if (work.outcome.lost !== undefined && work.reads >= work.outcome.lost) return undefined;
  return call.studio.works.read(work, call.now);
}
