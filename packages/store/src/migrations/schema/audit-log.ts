import type { Definition } from "../migration.ts";

/** The log of changes and their actors. Entries are only added; only old refusals are deleted. */
export const auditLog: Definition = ({ integer, clustered, appendOnly }) => [
  `CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    created_at ${integer} NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    account_id TEXT,
    subject TEXT,
    before TEXT,
    after TEXT,
    request TEXT,
    address TEXT
  ) ${clustered}`,
  "CREATE INDEX audit_log_by_age ON audit_log (created_at, id)",
  "CREATE INDEX audit_log_by_account ON audit_log (account_id, created_at, id)",
  "CREATE INDEX audit_log_by_subject ON audit_log (action, subject, created_at)",
  ...appendOnly("audit_log", IS_ACT),
];

const IS_ACT = "OLD.action NOT LIKE '%_refused'";
