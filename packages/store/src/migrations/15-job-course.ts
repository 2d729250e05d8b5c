import type { Migration } from "./migrate.ts";

/** The entries to which a job was sent and may still be sent. */
export const jobCourse: Migration = {
  name: "job-course",
  statements: () => ["ALTER TABLE jobs ADD COLUMN course TEXT"],
};
