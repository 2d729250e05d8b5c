import * as z from "zod";
import { checked } from "../../check/body.ts";
import { hasEnded, type Work } from "../../media/media-jobs.ts";
import { readWork } from "../../media/studio.ts";
import { Refusal } from "../../refusal.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { spell } from "./errors.ts";
import type { Body } from "./video-schema.ts";

const WEEK = 7 * 24 * 3600 * 1000;
const LIFE = 172_800;

const isTask = (call: MediaCall) => (work: Work) =>
  work.operation === "video" && work.protocol === "mediastyle" && call.now - work.created <= WEEK;

/** A task that waited longer than its sender would is over. */
function outlived(call: MediaCall, work: Work): void {
  const { execution_expires_after: life = LIFE } = work.request as Body;
  if (hasEnded(work) || call.now - work.created <= life * 1000) return;
  work.outcome = { expire: true };
  call.studio.works.finish(work, call.now);
}

function view(call: MediaCall, work: Work, usage: boolean): Record<string, unknown> {
  const body = work.request as Body;
  const { state } = work.outcome;
  return {
    id: work.id,
    model: work.model,
    status: state !== undefined && !hasEnded(work) ? state : work.state,
    error: work.error ?? null,
    created_at: Math.floor(work.created / 1000),
    updated_at: Math.floor(work.updated / 1000),
    service_tier: body.service_tier ?? "default",
    execution_expires_after: body.execution_expires_after ?? LIFE,
    ...(body.draft === undefined ? {} : { draft: body.draft }),
    ...call.studio.works.detail(work),
    ...(work.state === "succeeded" && usage ? { usage: work.billed } : {}),
  };
}

const missing = (id: string): Refusal =>
  new Refusal("missing", `The specified task ${id} is not found.`, { field: "id", code: "ResourceNotFound" });

export function getTask(call: MediaCall): AcceptedRequest {
  const { id = "" } = call.params;
  return {
    text: "",
    answer: (_, usage) => {
      const found = call.studio.works.find(id);
      if (found && isTask(call)(found)) outlived(call, found);
      const work = readWork(call, id, isTask(call));
      if (!work) throw missing(id);
      return { body: view(call, work, usage) };
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
  const { page_num, page_size, ...filter } = checked(query, given, spell);
  return {
    text: "",
    answer: (_, usage) => {
      const all = call.studio.works.all
        .filter(isTask(call))
        .filter(({ id }) => filter["filter.task_ids"]?.includes(id) ?? true)
        .filter(({ model }) => model === (filter["filter.model"] ?? model))
        .flatMap((one) => {
          outlived(call, one);
          return readWork(call, one.id, () => true) ?? [];
        })
        .filter(({ state }) => state === (filter["filter.status"] ?? state))
        .reverse();
      const shown = all.slice((page_num - 1) * page_size, page_num * page_size);
      return { body: { total: all.length, items: shown.map((work) => view(call, work, usage)) } };
    },
  };
}

/** Cancels what waits, forgets what ended, and cannot stop what runs. */
export function cancelTask(call: MediaCall): AcceptedRequest {
  const { id = "" } = call.params;
  return {
    text: "",
    answer: () => {
      const { works } = call.studio;
      const work = works.find(id);
      if (!work || !isTask(call)(work)) throw missing(id);
      if (work.state === "running")
        throw new Refusal("invalid", `The task ${id} is running and cannot be cancelled.`, {
          status: 409,
          code: "InvalidAction.RunningTaskDeletion",
        });
      if (work.state === "queued") works.cancel(work, call.now);
      else works.hide(work);
      return { body: {} };
    },
  };
}
