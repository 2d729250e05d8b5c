import type { JsonObject } from "@manifold-gateway/core/codec";
import type { StoredFile } from "@manifold-gateway/store";
import { z } from "zod";
import { endsOf, whole } from "../account/paging.ts";
import { checkedFile } from "../batches/check-file.ts";
import { chatForm } from "../batches/forms/chat.ts";
import { dropFile, keepFile } from "../batches/keep-file.ts";
import { batchesOf } from "../batches/services.ts";
import { toSeconds } from "../http/moments.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { sendObject } from "../media/send-object.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { uploadLimits } from "../uploads/limits.ts";
import { expiry } from "./shapes/batches.ts";
import { fileObject } from "./shapes/files.ts";

/** The purpose of files that callers store, and of all files that they can read. */
export const INPUT = "batch";
const PURPOSES = [INPUT, chatForm.purpose] as const;
/** Purposes that the vendor's files have as well, and none of these. */
const OTHERS = [
  "assistants",
  "assistants_output",
  "evals",
  "fine-tune",
  "fine-tune-results",
  "user_data",
  "vision",
];

const upload = z.object({
  purpose: z.enum([INPUT]).describe("Files are the inputs of batches."),
  expires_after: expiry,
  file: z.looseObject({ name: z.string() }).describe("The file."),
});

/** A name as it can be stored and written in a header. */
const toName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .slice(0, 255) || "lines.jsonl";

const id = z.object({ id: z.string().describe("The id of the file.") });

const fileOf = ({ id, bytes, createdAt, expiresAt, name, purpose }: StoredFile): JsonObject => ({
  ...{ id, object: "file", bytes, filename: name, purpose, status: "processed" },
  created_at: toSeconds(createdAt),
  expires_at: expiresAt === undefined ? null : toSeconds(expiresAt),
});

type Deps = Context<"batches" | "now" | "store">;

/** Reads the caller's file. Throws the same 404 for another account's file as for one that does not exist. */
async function readFile({ services, caller }: Deps, id: string): Promise<StoredFile> {
  batchesOf(services);
  const file = await findFile({ services, caller }, id);
  if (file) return file;
  throw new Refusal("file_not_found", `There is no file ${quote(id)}.`);
}

/** The caller's file of this id, until it expires. */
export async function findFile(
  { services, caller }: Pick<Deps, "services" | "caller">,
  id: string,
): Promise<StoredFile | undefined> {
  const file = await services.store.files.get({ id, accountId: caller.accountId });
  const isThere = file && (PURPOSES as readonly string[]).includes(file.purpose);
  return isThere && services.now() < (file.expiresAt ?? Number.POSITIVE_INFINITY) ? file : undefined;
}

/** Routes for the files that batches read and write. */
export const fileRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/v1/files",
    access: "key",
    summary: "Store a file",
    about: "A multipart form. The file has one JSON object a line, and is checked before it is stored.",
    body: upload.meta({ id: "FileUpload" }),
    upload: "only",
    limits: uploadLimits,
    answer: fileObject,
    uses: ["batches", "id", "media", "now", "store"],
    async handler(context, { body: { purpose, file, expires_after: expires }, upload }) {
      const { limits } = batchesOf(context.services);
      const name = toName(file.name);
      const source = checkedFile(upload?.pieces() ?? [], name, limits);
      const retention = expires ? expires.seconds * 1_000 : undefined;
      return { body: fileOf(await keepFile(context, source, { purpose, name, retention })) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/files",
    access: "key",
    summary: "List the files of the account",
    query: z.object({
      purpose: z
        .enum([...PURPOSES, ...OTHERS])
        .optional()
        .describe("No file has another than the first two."),
      limit: whole(1, 10_000, 1_000),
      order: z.enum(["asc", "desc"]).default("desc").describe("By the time of their creation."),
      after: z.string().max(512).optional().describe("The id of the last file of the previous page."),
    }),
    answer: z.looseObject({ object: z.literal("list"), data: z.array(fileObject), has_more: z.boolean() }),
    examples: { first: {} },
    uses: ["batches", "now", "store"],
    async handler(context, { query: { purpose, limit, order, after: last } }) {
      const { services, caller } = context;
      batchesOf(services);
      const after = last === undefined ? undefined : await findFile(context, last);
      if (last !== undefined && !after)
        throw new Refusal("file_not_found", `after: there is no file ${quote(last)}.`, {
          ...{ param: "after", status: 400 },
        });
      const purposes = purpose === undefined ? PURPOSES : [purpose];
      const files = await services.store.files.list(
        { accountId: caller.accountId, purposes, now: services.now() },
        { order, limit: limit + 1, after },
      );
      const data = files.slice(0, limit).map(fileOf);
      return { body: { object: "list", data, ...endsOf(data), has_more: files.length > limit } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/files/:id",
    access: "key",
    summary: "Get a file's description",
    params: id,
    answer: fileObject,
    uses: ["batches", "now", "store"],
    handler: async (context, { params }) => ({ body: fileOf(await readFile(context, params.id)) }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/files/:id/content",
    access: "key",
    summary: "Download a file",
    params: id,
    also: { "application/jsonl": z.string().describe("The bytes of the file; `Range` is honoured.") },
    uses: ["batches", "media", "now", "store"],
    async handler(context, { params }) {
      const { key, name } = await readFile(context, params.id);
      return sendObject(context, key, { mediaType: "application/jsonl", filename: name });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/files/:id",
    access: "key",
    summary: "Remove a file",
    params: id,
    answer: z.object({ id: z.string(), object: z.literal("file"), deleted: z.literal(true) }),
    uses: ["batches", "media", "now", "store"],
    async handler(context, { params }) {
      const file = await readFile(context, params.id);
      await dropFile(context, file);
      return { body: { id: file.id, object: "file", deleted: true } };
    },
  }),
];
