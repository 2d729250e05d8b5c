import { Clip } from "./clip.tsx";
import type { Column } from "./column.tsx";

/** The account of a row, which leads to its page, for lists over all accounts. */
export const owner: Column<{ userId: string; accountName?: string | undefined }> = {
  title: "Account",
  card: "bare",
  cell: ({ accountName, userId }) => <Clip>{accountName ?? userId}</Clip>,
  href: ({ userId }) => `/console/accounts/${encodeURIComponent(userId)}`,
};
