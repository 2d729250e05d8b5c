import type { Json } from "@manifold-gateway/core/codec";
import { type AssetRecord, assetErrors, assetSchema, encodeAsset } from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";
import { assetStates } from "../../../../packages/core/src/operations/asset/index.ts";

const least = { url: "https://files.example.test/a.png" };

describe("the body of an asset", () => {
  const rows: [field: string, taken: Json[], refused: Json[], says: RegExp][] = [
    [
      "url",
      ["https://files.example.test/a.png?x=1", "https://192.0.2.1/a"],
      [
        "http://files.example.test/a.png",
        "ftp://files.example.test/a",
        "data:image/png;base64,AAAA",
        "files.example.test/a.png",
        "https://",
        "",
        7,
        null,
        `https://files.example.test/${"a".repeat(9000)}`,
      ],
      /must be a valid HTTPS URL/,
    ],
    [
      "assetType",
      ["Image", "Video", "Audio"],
      ["image", "Document", "", 1, null],
      /must be one of Image, Video, Audio/,
    ],
    [
      "name",
      ["", "a", "a".repeat(64), "\u{1f600}".repeat(64)],
      ["a".repeat(65), "\u{1f600}".repeat(65), 1, null],
      /at most 64 characters/,
    ],
  ];
  describe.each(rows)("%s", (field, taken, refused, says) => {
    test.each(taken.map((value) => ({ value })))("the field takes $value", ({ value }) => {
      expect(assetSchema.parse({ ...least, [field]: value })).toHaveProperty([field], value);
    });
    test.each(refused.map((value) => ({ value })))("the field refuses $value", ({ value }) => {
      const issues = assetSchema.safeParse({ ...least, [field]: value }).error?.issues ?? [];
      expect(issues.length).toBeGreaterThan(0);
      for (const issue of issues) {
        expect(issue.path).toEqual([field]);
        expect(issue.message).toMatch(says);
      }
    });
  });
  test("the body of an asset needs url, has an image type, and loses unknown fields", () => {
    expect(assetSchema.safeParse({}).error?.issues.map((issue) => issue.path)).toEqual([["url"]]);
    expect(assetSchema.parse({ ...least, file: "x", assetId: "y" })).toEqual({
      ...least,
      assetType: "Image",
    });
  });
});

describe("the record of an asset", () => {
  const record: AssetRecord = {
    assetId: "as_1",
    assetType: "Image",
    name: "me",
    status: "processing",
    errorCode: "file_too_large",
    errorMessage: "31 MB",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:01.000Z",
  };
  test.each(assetStates)("%s: an error is shown of a failed asset only", (status) => {
    const wire = encodeAsset({ ...record, status });
    expect(wire).toMatchObject({ assetId: "as_1", assetType: "Image", name: "me", status });
    expect([wire.errorCode, wire.errorMessage]).toEqual(
      status === "failed" ? ["file_too_large", "31 MB"] : [undefined, undefined],
    );
  });
  test.each(Object.entries(assetErrors))("%s has words of its own", (errorCode, errorMessage) => {
    const { errorMessage: _, ...bare } = record;
    expect(encodeAsset({ ...bare, status: "failed", errorCode })).toMatchObject({ errorCode, errorMessage });
  });
  test("a failed asset always says why", () => {
    const { errorCode: _, errorMessage: __, ...bare } = record;
    expect(encodeAsset({ ...bare, status: "failed" })).toMatchObject({
      errorCode: "provider_rejected",
      errorMessage: assetErrors.provider_rejected,
    });
    expect(encodeAsset({ ...bare, status: "failed", errorCode: "constructor" })).toMatchObject({
      errorCode: "constructor",
      errorMessage: assetErrors.provider_rejected,
    });
  });
});
