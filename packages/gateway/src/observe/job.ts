import { type Line, UpstreamFault } from "@manifold-gateway/providers";
import type { Job, Modality } from "@manifold-gateway/store";
import type { JobWatch, ObservedAttempt, Observer } from "../ports/observer.ts";
import { entryId } from "../routing/candidate.ts";

/** The modalities of jobs in records. Identity assets have no record. */
export const modalities = { image: "image", video: "video", speech: "audio", asset: undefined } as const;
/** Whether jobs generate it. */
export const isOfJobs = (modality: Modality): boolean =>
  Object.values<Modality | undefined>(modalities).includes(modality);

/** Observes a step of a job, if there is an observer. */
export function watchJob(
  observer: Observer | undefined,
  { id, kind, accountId, model, phase, entry }: Job,
): JobWatch | undefined {
  if (!observer?.stepped) return undefined;
  const modality = modalities[kind];
  const { provider, name } = entry ?? {};
  return observer.stepped({
    id,
    kind,
    accountId,
    model,
    phase,
    ...(modality && { modality }),
    ...(provider !== undefined &&
      name !== undefined && { entry: { id: entryId({ id: model }, { provider, name }), provider, name } }),
  });
}

/** Wraps a client so that `watch` observes its calls. */
export const watchClient = (
  client: Line["client"],
  watch: JobWatch,
  attempt: Omit<ObservedAttempt, "stream">,
): Line["client"] =>
  new Proxy(client, {
    apply(call, _, [input, options]: Parameters<Line["client"]>) {
      const seen = watch.attempt?.({ ...attempt, stream: false });
      if (!seen) return call(input, options);
      const headers = seen.headers ? { ...(options?.headers as object), ...seen.headers } : options?.headers;
      const answer = call(input, { ...options, ...(headers && { headers }) });
      answer.then(
        ({ status }) => seen.answered?.(status),
        (error: unknown) => seen.failed?.(kindOf(error)),
      );
      return answer;
    },
  });

/** The kind of fault in a client's error, which may be wrapped. */
function kindOf(error: unknown): string {
  let one = error;
  for (let depth = 0; depth < 8 && one instanceof Error; depth++, one = one.cause)
    if (one instanceof UpstreamFault) return one.kind;
  return error instanceof Error && error.name === "TimeoutError" ? "timeout" : "defect";
}
