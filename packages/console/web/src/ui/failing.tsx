import type { Column } from "./column.tsx";

/** Why a job or a batch failed, for the lists of them. */
export const failing: Column<{ error?: { message: string } | undefined }> = {
  title: "Error",
  drops: 3,
  card: "line",
  cell: ({ error }) =>
    error && (
      <span class="bad short" title={error.message}>
        {error.message}
      </span>
    ),
};
