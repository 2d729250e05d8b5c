import * as z from "zod";
import { checked } from "../../check/body.ts";
import { hasEnded, type MediaJob } from "../../media/media-jobs.ts";
import { readJob } from "../../media/media-store.ts";
import { Refusal } from "../../refusal.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { toRefusal } from "./errors.ts";
import type { Body } from "./video-schema.ts";

const WEEK = 7 * 24 * 3600 * 1000;
const LIFE = 172_800;

const isTask = (call: MediaCall) => (job: MediaJob) =>
  job.operation === "video" && job.protocol === "mediastyle" && call.now - job.created <= WEEK;

/** Ends a task that is older than the sender's `execution_expires_after`. */
function expireIfOverdue(call: MediaCall, job: MediaJob): void {
  const { execution_expires_after: life = LIFE } = job.request as Body;
  if (hasEnded(job) || call.now - job.created <= life * 1000) return;
  job.outcome = { expire: true };
  call.mediaStore.jobs.finish(job, call.now);
}

function view(call: MediaCall, job: MediaJob, usage: boolean): Record<string, unknown> {
  const body = job.request as Body;
  const { state } = job.outcome;
  return {
    id: job.id,
    model: job.model,
    status: state !== undefined && !hasEnded(job) ? state : job.state,
    error: job.error ?? null,
    created_at: Math.floor(job.created / 1000),
    updated_at: Math.floor(job.updated / 1000),
    service_tier: body.service_tier ?? "default",
    execution_expires_after: body.execution_expires_after ?? LIFE,
    ...(body.draft === undefined ? {} : { draft: body.draft }),
    ...call.mediaStore.jobs.detail(job),
    ...(job.state === "succeeded" && usage ? { usage: job.billed } : {}),
  };
}

const missing = (id: string): Refusal =>
  new Refusal("missing", `The specified task ${id} is not found.`, { field: "id", code: "ResourceNotFound" });

export function getTask(call: MediaCall): AcceptedRequest {
  const { id = "" } = call.params;
  return {
    text: "",
    answer: (_, usage) => {
      const found = call.mediaStore.jobs.find(id);
      if (found && isTask(call)(found)) expireIfOverdue(call, found);
      const job = readJob(call, id, isTask(call));
      if (!job) throw missing(id);
      return { body: view(call, job, usage) };
    },
  };
}

const page = z.coerce.number().int().min(1).max(500);
const query = z.strictObject({
  page_num: page.default(1),
  page_size: page.default(10),
  "filter.status": z.enum(["queued", "running", "succeeded", "failed", "cancelled", "expired"]).optional(),
  "filter.task_ids": z.array(z.string()).optional(),
  "filter.model": z.string().optional(),
  "filter.service_tier": z.enum(["default", "flex"]).optional(),
});

/** Many tasks in one read, newest first; every task shown counts as read. */
export function listTasks(call: MediaCall): AcceptedRequest {
  const { searchParams } = call.url;
  const ids = searchParams.getAll("filter.task_ids").flatMap((text) => text.split(","));
  const given = {
    ...Object.fromEntries(searchParams),
    ...(ids.length > 0 ? { "filter.task_ids": ids } : {}),
  };
  const { page_num, page_size, ...filter } = checked(query, given, toRefusal);
  return {
    text: "",
    answer: (_, usage) => {
      const all = call.mediaStore.jobs.all
        .filter(isTask(call))
        .filter(({ id }) => filter["filter.task_ids"]?.includes(id) ?? true)
        .filter(({ model }) => model === (filter["filter.model"] ?? model))
        .flatMap((one) => {
          expireIfOverdue(call, one);
          return readJob(call, one.id, () => true) ?? [];
        })
        .filter(({ state }) => state === (filter["filter.status"] ?? state))
        .reverse();
      const shown = all.slice((page_num - 1) * page_size, page_num * page_size);
      return { body: { total: all.length, items: shown.map((job) => view(call, job, usage)) } };
    },
  };
}

/** Cancels a queued task and deletes an ended one. A running task is refused. */
export function cancelTask(call: MediaCall): AcceptedRequest {
  const { id = "" } = call.params;
  return {
    text: "",
    answer: () => {
      const { jobs } = call.mediaStore;
      const job = jobs.find(id);
      if (!job || !isTask(call)(job)) throw missing(id);
      if (job.state === "running")
        throw new Refusal("invalid", `The task ${id} is running and cannot be cancelled.`, {
          status: 409,
          code: "InvalidAction.RunningTaskDeletion",
        });
      if (job.state === "queued") jobs.cancel(job, call.now);
      else jobs.hide(job);
      return { body: {} };
    },
  };
}
