import { Clip } from "../ui/clip.tsx";
import type { Column } from "../ui/column.tsx";
import { JobState } from "../ui/job-state.tsx";
import { type ListedJob, pageOf } from "./words.ts";

/** The columns of every list of jobs, for those who see their account's or all. */
export const ordered: Column<ListedJob> = {
  title: "Time",
  time: ({ createdAt }) => createdAt,
  href: ({ id, userId }) => pageOf(id, userId),
};
export const state: Column<ListedJob> = {
  title: "State",
  card: "side",
  cell: (job) => <JobState of={job} />,
};
export const kind: Column<ListedJob> = { title: "Kind", card: "bare", cell: ({ kind }) => kind };
export const model: Column<ListedJob> = {
  title: "Model",
  card: "bare",
  cell: ({ model }) => <Clip>{model}</Clip>,
};
export const provider: Column<ListedJob> = {
  title: "Provider",
  drops: 2,
  cell: ({ provider }) => provider ?? "–",
  href: ({ provider }) => provider && `/console/providers/${encodeURIComponent(provider)}`,
};
