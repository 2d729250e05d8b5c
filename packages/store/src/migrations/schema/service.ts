import type { Definition } from "../migration.ts";

/** The processes of the service, the revisions by which they notice changes, and the models. */
export const service: Definition = ({ integer, strict }) => [
  `CREATE TABLE instances (
    owner TEXT PRIMARY KEY,
    started_at ${integer} NOT NULL,
    heartbeat_at ${integer} NOT NULL
  ) ${strict}`,

  `CREATE TABLE revisions (subject TEXT PRIMARY KEY, value ${integer} NOT NULL) ${strict}`,
  "INSERT INTO revisions (subject, value) VALUES ('keys', 0), ('catalog', 0)",

  // `content` is a model and its entries as canonical JSON, to detect changes.
  `CREATE TABLE models (
    id TEXT PRIMARY KEY,
    revision ${integer} NOT NULL,
    content TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL
  ) ${strict}`,
];
