import type { Migration } from "./migrate.ts";

/** The entries that a job was sent to, and may yet be sent to. */
export const jobCourse: Migration = {
  name: "job-course",
  statements: () => ["ALTER TABLE jobs ADD COLUMN course TEXT"],
};
