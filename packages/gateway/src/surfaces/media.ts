import { z } from "zod";
import type { Context } from "../context.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { JobView } from "../jobs/index.ts";
import { mediaOf } from "../media/media.ts";
import type { MediaKind } from "../media/resolve.ts";

export const generationId = z.object({ generationId: z.string().describe("As the order was answered.") });

const nouns = { image: "image job", video: "video task", speech: "audio job" } as const;

/** The caller's job of a kind, or a 404: somebody else's is as unknown as one that never was. */
export async function readJob({ services, caller }: Context, id: string, kind: MediaKind): Promise<JobView> {
  const view = await mediaOf(services).jobs.get({ id, accountId: caller.accountId });
  if (view?.kind === kind) return view;
  throw new Refusal(404, `There is no ${nouns[kind]} ${quote(id)}.`, { code: "not_found" });
}

/** Gives the caller's job up, and reads it as it is then. */
export async function cancelJob(context: Context, id: string, kind: MediaKind): Promise<JobView> {
  const { services, caller } = context;
  const view = await readJob(context, id, kind);
  return (await mediaOf(services).jobs.cancel({ id: view.id, accountId: caller.accountId })) ?? view;
}
