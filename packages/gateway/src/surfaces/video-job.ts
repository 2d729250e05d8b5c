import type { JsonObject } from "@manifold-gateway/core/codec";
import { encodeChatstyleVideo } from "@manifold-gateway/core/operations";
import { endsOf } from "../account/paging.ts";
import { toSeconds } from "../http/moments.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { failureOf } from "../media/job-answer.ts";
import { mediaOf } from "../media/media.ts";
import { sendObject } from "../media/send-object.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { JobView } from "../ports/jobs.ts";
import { readJob } from "./media.ts";
import { addressOf } from "./service-address.ts";

/** A job in this protocol's format. All links lead to the service's own address, if it is known. */
export function videoJobOf(context: Context<"base">, view: JobView): JsonObject {
  const { id, taskId = id, state, video, outputs, error, deadline } = view;
  const jobUrl = `${addressOf(context)}/api/chatstyle/v1/videos/${encodeURIComponent(taskId)}`;
  return {
    ...encodeChatstyleVideo({
      id: taskId,
      pollingUrl: jobUrl,
      state,
      expired: error?.kind === "expired",
      generationId: id,
      urls: outputs.map((_, index) => `${jobUrl}/content?index=${index}`),
      result: video,
      error: error?.message,
    }),
    object: "video",
    model: view.model,
    created_at: toSeconds(view.createdAt),
    ...(view.endedAt !== undefined && state === "succeeded" && { completed_at: toSeconds(view.endedAt) }),
    expires_at: toSeconds(deadline),
  };
}

/** Finds the job after which a page begins. */
async function lastOf({ services, caller }: Context<"media">, id: string): Promise<JobView> {
  const view = await mediaOf(services).jobs.get({ id, accountId: caller.accountId });
  if (view?.kind === "video") return view;
  throw new Refusal("not_found", `after: there is no video job ${quote(id)}.`, { param: "after" });
}

/** Lists a page of the account's jobs, newest first: from the start, or after one of them. */
export async function listVideos(
  context: Context<"base" | "media">,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<JsonObject> {
  const { services, caller } = context;
  const last = after === undefined ? undefined : await lastOf(context, after);
  const { results, total } = await mediaOf(services).jobs.list(
    { accountId: caller.accountId, kinds: ["video"], ...(last && { after: last }) },
    { offset: 0, limit },
  );
  const data = results.map((view) => videoJobOf(context, view));
  return { object: "list", data, ...endsOf(data), has_more: total > limit };
}

/** Sends the bytes of a finished video from our storage, whole or in part. */
export async function downloadVideo(
  context: Context<"media">,
  taskId: string,
  index: number,
): Promise<Answer | undefined> {
  const view = await readJob(context, taskId, "video");
  if (view.state === "failed" || view.state === "cancelled") throw failureOf(view);
  if (view.state !== "succeeded")
    throw new Refusal("video_not_ready", "The video is not ready yet: poll its job until it is completed.", {
      headers: { "retry-after": "2" },
    });
  if (view.expired) throw new Refusal("output_not_found", "The video has expired and was deleted.");
  const output = view.outputs[index];
  if (!output)
    throw new Refusal(
      "output_not_found",
      `The video has no output ${index}; there ${view.outputs.length === 1 ? "is one: index 0" : `are ${view.outputs.length}`}.`,
    );
  return sendObject(context, output.key, { mediaType: output.mediaType });
}
