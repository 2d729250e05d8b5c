import { Clip } from "../ui/clip.tsx";
import type { Column } from "../ui/column.tsx";
import { Status } from "../ui/parts.tsx";
import { Progress } from "./progress.tsx";
import { endpointOf, type ListedBatch, pageOf, stateOf } from "./words.ts";

/** The columns of every list of batches, for those who see their account's or all. */
export const begun: Column<ListedBatch & { userId?: string }> = {
  title: "Begun",
  time: ({ createdAt }) => createdAt,
  href: ({ id, userId }) => pageOf(id, userId),
};
export const state: Column<ListedBatch> = {
  title: "State",
  card: "side",
  cell: (one) => <Status of={stateOf(one)} />,
};
export const lines: Column<ListedBatch> = {
  title: "Lines",
  card: "bare",
  cell: (one) => <Progress of={one} />,
};
export const endpoint: Column<ListedBatch> = {
  title: "Requests to",
  card: "line",
  cell: (one) => <Clip isLong>{endpointOf(one)}</Clip>,
};
export const endsBy: Column<ListedBatch> = {
  title: "Ends by",
  drops: 2,
  time: ({ expiresAt }) => expiresAt,
};
