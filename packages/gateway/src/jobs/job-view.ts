import type { JsonObject } from "@manifold-gateway/core/codec";
import type { ImageResult, SpeechMade, VideoResult } from "@manifold-gateway/core/operations";
import type { Job, JobKind, JobState, Objects } from "@manifold-gateway/store";
import type { JobView, OutputLink } from "../ports/jobs.ts";
import type { Output } from "./archive.ts";

/** The ids of the assets that a job's files are. */
export const assetIdsOf = ({ result }: Job): string[] =>
  ((result?.outputs ?? []) as unknown as Output[]).map(({ assetId }) => assetId);

/**
 * A stored job as callers see it. `expires` is when its links expire, in ms since the epoch; `expired` means that its
 * files were removed.
 */
export async function present(
  job: Job,
  objects: Objects,
  { expires, expired }: { expires: number; expired: boolean },
): Promise<JobView> {
  const { id, kind, accountId, keyId, model, entry, error, orphan } = job;
  const state = stateOf(job);
  const result = (state === "succeeded" ? (job.result ?? {}) : {}) as Record<string, object>;
  const stored = (result.outputs ?? []) as Output[];
  const outputs = await Promise.all(
    (expired ? [] : stored).map(async ({ assetId, key, mediaType, size, filename }): Promise<OutputLink> => {
      const downloadUrl = await objects.link(key, { expires, mediaType, filename });
      return { assetId, key, mediaType, size, downloadUrl };
    }),
  );
  return {
    ...{
      id,
      kind,
      accountId,
      model,
      state,
      orphan,
      expired,
      outputs,
      shown: (job.shown ?? {}) as JsonObject,
    },
    ...(keyId !== undefined && { keyId }),
    ...(entry && { entry }),
    ...(job.upstreamId !== undefined && { taskId: job.upstreamId }),
    ...(state === "succeeded" && resultOf(kind, result.made ?? {}, outputs)),
    ...(error && { error }),
    deadline: job.deadline,
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
    ...(job.endedAt !== undefined && { endedAt: job.endedAt }),
  };
}

/**
 * The state that callers see. An image or speech is generated within the submitting call, so it counts as running
 * then; a video is only being accepted.
 */
const stateOf = ({ kind, phase, state }: Job): JobState =>
  state === "queued" && phase === "sending" && kind !== "video" ? "running" : state;

function resultOf(
  kind: JobKind,
  facts: object,
  outputs: OutputLink[],
): Pick<JobView, "image" | "video" | "speech"> {
  const stored = outputs.map(({ assetId, downloadUrl, mediaType }) => ({ assetId, downloadUrl, mediaType }));
  switch (kind) {
    case "image": {
      const result = facts as ImageResult;
      return {
        image: { ...result, images: result.images.map((one, index) => ({ ...one, ...stored[index] })) },
      };
    }
    case "video": {
      const { mediaType: _, ...first } = stored[0] ?? {};
      return { video: { ...(facts as VideoResult), ...first } };
    }
    case "speech":
      return { speech: facts as SpeechMade };
    case "asset":
      return {};
  }
}
