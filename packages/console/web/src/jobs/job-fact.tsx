import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { ApiError } from "../api/client.ts";
import { wordsOf } from "../api/refusal.ts";
import type { Detail } from "../request/detail.ts";
import type { Whose } from "../requests/source.ts";
import { readJob } from "./read-job.ts";
import { pageOf } from "./words.ts";

/** What is made by jobs, unless a request for it is answered at once. */
const BY_JOBS: readonly Detail["modality"][] = ["image", "video", "audio"];

/** The job of a request, among other facts, where it may have one. */
export const jobFact = (one: Detail, whose: Whose): [string, ComponentChildren][] =>
  BY_JOBS.includes(one.modality) ? [["Job", <JobLink key="j" of={one} whose={whose} />]] : [];

function JobLink({ of: { id, userId }, whose }: { of: Detail; whose: Whose }) {
  const { data, error } = useQuery({
    queryKey: ["job", whose, id],
    queryFn: ({ signal }) => readJob(whose, id, signal),
  });
  if (data) return <a href={pageOf(id, whose === "all" ? userId : undefined)}>{data.status}</a>;
  if (!error) return <span class="faint">…</span>;
  return <>{error instanceof ApiError && error.status === 404 ? "none, answered at once" : wordsOf(error)}</>;
}
