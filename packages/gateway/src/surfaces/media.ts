import type { JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";
import { quote, Refusal } from "../http/refusal.ts";
import { mediaOf } from "../media/media.ts";
import type { MediaKind } from "../media/resolve.ts";
import { begin, headersOf, type PreparedWork } from "../media/work.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { JobView } from "../ports/jobs.ts";
import { defineRoute, type Route } from "../route.ts";

const nouns = { image: "image job", video: "video task", speech: "audio job" } as const;

/** Reads the caller's job of a kind. Throws the same 404 for another account's job as for one that does not exist. */
export async function readJob(
  { services, caller }: Context<"media">,
  id: string,
  kind: MediaKind,
): Promise<JobView> {
  const view = await mediaOf(services).jobs.get({ id, accountId: caller.accountId });
  if (view?.kind === kind) return view;
  throw new Refusal("not_found", `There is no ${nouns[kind]} ${quote(id)}.`);
}

/** Cancels the caller's job, and returns its state afterwards. */
export async function cancelJob(context: Context<"media">, id: string, kind: MediaKind): Promise<JobView> {
  const { services, caller } = context;
  const view = await readJob(context, id, kind);
  return (await mediaOf(services).jobs.cancel({ id: view.id, accountId: caller.accountId })) ?? view;
}

/** Begins a job and answers with its state. */
export async function startJob(
  context: Context<"id" | "media" | "now" | "routing">,
  work: PreparedWork,
  more: JsonObject = {},
): Promise<Answer> {
  const view = await begin(context, work);
  return { status: 202, headers: headersOf(view, work), body: { generationId: view.id, ...more } };
}

/** The routes that read and cancel jobs of one kind. */
interface Jobs {
  kind: MediaKind;
  /** The path of both routes; `id` is the name of its parameter. */
  path: string;
  shown?: string;
  id: string;
  read: string;
  cancel: string;
  answer: z.ZodType;
  show(view: JobView, now: number): JsonObject;
}

/** Defines a surface's routes for reading and cancelling jobs. */
export function jobRows({ kind, id, read, cancel, show, ...where }: Jobs): Route[] {
  const params = z.object({
    [id]: z.string().describe("The id in the response to the request that created it."),
  });
  const row = (method: "GET" | "DELETE", summary: string, job: typeof readJob, about?: string): Route =>
    defineRoute({
      ...where,
      ...(about !== undefined && { about }),
      method,
      access: "caller",
      summary,
      params,
      uses: ["media", "now"],
      handler: async (context, { params }) => ({
        body: show(await job(context, String(params[id]), kind), context.services.now()),
      }),
    });
  return [
    row("GET", read, readJob),
    row("DELETE", cancel, cancelJob, "Work that the provider has begun may still complete and be charged."),
  ];
}
