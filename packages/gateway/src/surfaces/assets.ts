import type { JsonObject } from "@manifold-gateway/core/codec";
import { type AssetRecord, assetSchema, encodeAsset } from "@manifold-gateway/core/operations";
import type { Asset } from "@manifold-gateway/store";
import { z } from "zod";
import { pageQuery } from "../account/paging.ts";
import { momentOf } from "../http/moments.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { mediaOf } from "../media/media.ts";
import { defineRoute, type Route } from "../route.ts";
import { page } from "./shapes/account.ts";
import { identityAsset } from "./shapes/media.ts";

function assetOf({ id, type, state, name, errorCode, errorMessage, ...times }: Asset): JsonObject {
  const record: AssetRecord = {
    assetId: id,
    assetType: type,
    status: state,
    ...(name !== undefined && { name }),
    ...(errorCode !== undefined && { errorCode }),
    ...(errorMessage !== undefined && { errorMessage }),
    createdAt: momentOf(times.createdAt),
    updatedAt: momentOf(times.updatedAt),
  };
  return encodeAsset(record);
}

const path = "/kyc/user/assets";

/** Routes for identity assets on the native interface. */
export const assetRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path,
    access: "caller",
    summary: "Create an identity asset",
    about:
      "The file is fetched and checked afterwards: poll the asset until its `status` is `active` or `failed`. Assets are free.",
    body: assetSchema.meta({ id: "IdentityAssetRequest" }),
    rated: true,
    answer: identityAsset,
    examples: { portrait: { body: { url: "https://files.example.com/portrait.png", name: "portrait" } } },
    uses: ["id", "media"],
    handler: async ({ services, caller }, { body }) => ({
      body: assetOf(await mediaOf(services).jobs.createAsset({ id: services.id(), caller, body })),
    }),
  }),
  defineRoute({
    method: "GET",
    path,
    access: "caller",
    summary: "List the identity assets of the account",
    query: pageQuery,
    answer: page(identityAsset),
    examples: { first: {} },
    uses: ["media"],
    handler: async ({ services, caller }, { query }) => {
      const filter = { accountId: caller.accountId, kind: "identity" as const };
      const { results, total } = await mediaOf(services).jobs.assets(filter, query);
      return { body: { results: results.map(assetOf), total, ...query } };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${path}/:assetId`,
    access: "caller",
    summary: "Get an identity asset",
    params: z.object({ assetId: z.string() }),
    answer: identityAsset,
    uses: ["media"],
    handler: async ({ services, caller }, { params: { assetId: id } }) => {
      const asset = await mediaOf(services).jobs.asset({ id, accountId: caller.accountId });
      if (asset?.kind !== "identity")
        throw new Refusal("not_found", `There is no identity asset ${quote(id)}.`);
      return { body: assetOf(asset) };
    },
  }),
];
