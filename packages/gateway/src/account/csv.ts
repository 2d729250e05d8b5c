import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import type { Tags } from "@manifold-gateway/store";
import { writeTags } from "../http/tags.ts";

/** The columns of a page of records. */
export const COLUMNS = [
  "id",
  "createdAt",
  "status",
  "modality",
  "model",
  "apiKeyId",
  "promptTokens",
  "completionTokens",
  "totalTokens",
  "usdCost",
  "durationMs",
  "tags",
  "user",
  "surface",
  "entry",
];

/** The heading of a sheet. */
export const toHeading = (columns: readonly string[]): string => `${columns.join(",")}\r\n`;

/** Records as lines of comma-separated values, without a heading. */
export const toLines = (records: readonly JsonObject[], columns: readonly string[]): string =>
  records
    .map((record) => {
      const { usage, tags, ...rest } = record;
      const flat: JsonObject = {
        ...(usage as JsonObject | undefined),
        ...rest,
        ...(isObject(tags) && { tags: writeTags(tags as Tags) }),
      };
      return `${columns.map((column) => cell(flat[column])).join(",")}\r\n`;
    })
    .join("");

/** Records as comma-separated values, with a heading. */
export const toCsv = (records: readonly JsonObject[]): string =>
  toHeading(COLUMNS) + toLines(records, COLUMNS);

/** The text of a cell. A text that a spreadsheet would run as a formula is marked as text. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(value);
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
