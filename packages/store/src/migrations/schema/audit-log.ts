import type { Definition } from "../migration.ts";
import { appendOnlySqlite, refusal } from "./append-only.ts";

/** The log of changes and their actors. Entries are only added; only old refusals are deleted. */
export const auditLog: Definition = ({ integer, clustered, dialect }) => [
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
  ...(dialect === "sqlite"
    ? [appendOnlySqlite("audit_log", "UPDATE"), appendOnlySqlite("audit_log", "DELETE", IS_ACT)]
    : [
        refusal("audit_log"),
        `CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
         FOR EACH ROW EXECUTE FUNCTION audit_log_refuse()`,
        `CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
         FOR EACH ROW WHEN (${IS_ACT}) EXECUTE FUNCTION audit_log_refuse()`,
        `CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
         FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse()`,
      ]),
];

const IS_ACT = "OLD.action NOT LIKE '%_refused'";
