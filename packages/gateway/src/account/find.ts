import { COMPARED, type Generation, type Store } from "@manifold-gateway/store";
import { z } from "zod";
import { isOfJobs } from "../observe/job.ts";
import type { Services } from "../ports/services.ts";
import { TIME_ORDERED_ID } from "../request/time-ordered-id.ts";

/** The query of a search: any id, or the name of a key or an account. */
export const findQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .describe("An id or a name, exactly; a key also by its first characters."),
});

/** What an id can belong to. */
const KINDS = ["generation", "request", "refusal", "job", "key", "account"] as const;

/** The schema of what was found. */
export const findings = z.object({
  results: z
    .array(
      z.object({
        kind: z
          .enum(KINDS)
          .describe(
            "`request`: a generation that was found by its `x-request-id`; `refusal`: a request that was refused before it had one.",
          ),
        id: z.string().describe("The id of the generation, refused request, job, key or account."),
        name: z.string().optional().describe("Of a refusal its code."),
        accountId: z.string().optional(),
        createdAt: z.iso.datetime().optional(),
        path: z.string().describe("The route that has it."),
      }),
    )
    .describe("Empty if nothing has this id or name."),
  archived: z
    .string()
    .optional()
    .describe("The month of an id that was not found, as `2026-01`, if its records are archived."),
});

type Finding = z.output<typeof findings>["results"][number];

/** The longest time that a request waits before its record begins. */
const WAIT = 10 * 60_000;
const MOST = 10;

/** The range in which a request of this id began, if its id has the time. */
function rangeOf(requestId: string): { from?: number; to?: number } {
  const [, time] = TIME_ORDERED_ID.exec(requestId) ?? [];
  if (time === undefined) return {};
  const at = Number.parseInt(time, 16);
  return { from: at - 1_000, to: at + WAIT };
}

const toFinding = (
  { id, accountId, model, createdAt }: Generation,
  kind: "generation" | "request",
  paths: Paths,
): Finding => ({
  ...{ kind, id, accountId, name: model },
  createdAt: new Date(createdAt).toISOString(),
  path: `${paths.generation}/${encodeURIComponent(id)}`,
});

interface Paths {
  generation: string;
  job?: string;
}

interface Search {
  /** Absent: all accounts. */
  accountId?: string;
  paths: Paths;
}

/** Finds the generations of an id, of their own or of their request. */
export async function findGenerations(
  { generations }: Pick<Store, "generations">,
  q: string,
  { accountId, paths }: Search,
): Promise<Finding[]> {
  const one = await (accountId === undefined ? generations.find(q) : generations.get({ id: q, accountId }));
  if (one) {
    const isJob = isOfJobs(one.modality) && paths.job !== undefined;
    const job = { ...toFinding(one, "generation", paths), kind: "job" as const, path: `${paths.job}/${q}` };
    return [toFinding(one, "generation", paths), ...(isJob ? [job] : [])];
  }
  const filter = { ...rangeOf(q), requestId: q, ...(accountId !== undefined && { accountId }) };
  const newest = await generations.after(filter, { limit: MOST, isWithRequest: false, compared: COMPARED });
  return newest.map((generation) => toFinding(generation, "request", paths));
}

/** Finds the refused requests of an `x-request-id`. */
export async function findRefusals(
  { refusals }: Pick<Store, "refusals">,
  q: string,
  { accountId, path }: { accountId?: string; path: string },
): Promise<Finding[]> {
  const filter = { request: q, ...(accountId !== undefined && { accountId }) };
  const refused = await refusals.list(filter, { limit: MOST });
  return refused.map((one) => ({
    ...{ kind: "refusal" as const, id: one.id, name: one.code, accountId: one.accountId },
    createdAt: new Date(one.at).toISOString(),
    path: `${path}?request=${encodeURIComponent(q)}`,
  }));
}

/** The month of an id that was not found, if its records are archived. */
export async function archivedMonth(
  { archive }: Pick<Store, "archive">,
  q: string,
  results: readonly unknown[],
): Promise<{ archived?: string }> {
  const month = results.length > 0 ? undefined : await archive.removedMonthOf(q);
  return month === undefined ? {} : { archived: month };
}

/** Finds the keys of an account by id, name or first characters. */
export async function findKeys(
  { store }: Pick<Services, "store">,
  q: string,
  accountId: string,
): Promise<Finding[]> {
  const keys = await store.keys.list(accountId);
  const wanted = q.toLowerCase();
  return keys
    .filter(({ id, name, prefix }) => id === q || name.toLowerCase() === wanted || q.startsWith(prefix))
    .slice(0, MOST)
    .map(({ id, name, createdAt }) => ({
      ...{ kind: "key" as const, id, name, accountId },
      createdAt: new Date(createdAt).toISOString(),
      path: `/api/compat/v1/api-keys/${id}`,
    }));
}
