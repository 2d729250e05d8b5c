import type { Tables } from "../engine/tables.ts";

/** A file that requests name by its id. Times are ms. */
export interface StoredFile {
  /** The id in routes and requests. */
  id: string;
  /** The account that it belongs to. */
  accountId: string;
  /** Its purpose, in the terms of its surface. */
  purpose: string;
  /** The name that its caller gave it. */
  name: string;
  /** The size of its contents. */
  bytes: number;
  /** The object key of its contents. */
  key: string;
  /** When it was stored. */
  createdAt: number;
  /** The time from which it no longer exists. Absent: it stays until it is removed. */
  expiresAt?: number;
}

export const toFile = (row: Tables["files"]): StoredFile => ({
  id: row.id,
  accountId: row.account_id,
  purpose: row.purpose,
  name: row.name,
  bytes: row.bytes,
  key: row.object_key,
  createdAt: row.created_at,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
});

export const toFileRow = (file: StoredFile): Tables["files"] => ({
  id: file.id,
  account_id: file.accountId,
  purpose: file.purpose,
  name: file.name,
  bytes: file.bytes,
  object_key: file.key,
  created_at: file.createdAt,
  expires_at: file.expiresAt ?? null,
});
