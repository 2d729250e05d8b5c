import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asset, localAsset } from "../../../../packages/providers/src/adapters/asset/index.ts";
import { sign } from "../../../../packages/providers/src/adapters/sign.ts";
import { json, NOW, startLine } from "../speech/line.ts";

const { mediastyle } = asset;
const signing = {
  accessKey: "AKEXAMPLE",
  secretKey: "SECRETKEYEXAMPLE",
  region: "ap-southeast-1",
  service: "ark",
};
const service = { wire: "mediastyle", base: "", signing } as const;
const ask = {
  url: "https://files.example.test/a.png",
  assetType: "Image",
  name: "me",
  group: "group-1",
} as const;

describe("a signature", () => {
  const url = new URL("https://ark.example.test/?Version=2024-01-01&Action=GetAsset");
  const call = { method: "POST", url, body: '{"Id":"asset-1"}', at: NOW } as const;

  // Each value follows from the ones above it; all were computed apart from this code.
  const hash = "bd5c60cfcd2523dc977943745c34e480c187706abb02d91b81bd9cc33c8375ed";
  const canonical = "e63b4c253008aaf2e773a88d4d266e28a38f375d0cf20d92f1d759074a0debba";
  const keys = [
    "1d0456833163fcf17b943fb1ef46d5a482e59d172838cbec70b345f81401203f",
    "c5db4554b373fcacd91719d3944e4e40396e426d0c5b6fe4d243a24305a2bbf1",
    "63cf2608a5c70a772fb885de797a53321f8944369e15a40982a58cc489abc908",
    "bff8bbadc028e144630e4ed4a0124e6bed3585c14a08279003e1a2f0eab8852a",
  ];
  const signature = "0742e0e1dbccc721500238ff736946c362b139bd710bf6f0de3e35101bb07522";

  test("a signature is derived step by step", () => {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
    expect(sha256(call.body)).toBe(hash);
    const request = `POST\n/\nAction=GetAsset&Version=2024-01-01\ncontent-type:application/json\nhost:ark.example.test\nx-content-sha256:${hash}\nx-date:20260102T030405Z\n\ncontent-type;host;x-content-sha256;x-date\n${hash}`;
    expect(sha256(request)).toBe(canonical);
    let key: string | Buffer = signing.secretKey;
    for (const [i, word] of ["20260102", "ap-southeast-1", "ark", "request"].entries()) {
      key = hmac(key, word);
      expect(key.toString("hex")).toBe(keys[i]);
    }
    const text = `HMAC-SHA256\n20260102T030405Z\n20260102/ap-southeast-1/ark/request\n${canonical}`;
    expect(hmac(key, text).toString("hex")).toBe(signature);
    expect(sign(call, signing)).toEqual({
      "content-type": "application/json",
      "x-content-sha256": hash,
      "x-date": "20260102T030405Z",
      authorization: `HMAC-SHA256 Credential=AKEXAMPLE/20260102/ap-southeast-1/ark/request, SignedHeaders=content-type;host;x-content-sha256;x-date, Signature=${signature}`,
    });
  });

  test("a signature does not depend on the order of the query", () => {
    const other = new URL("https://ark.example.test/?Action=GetAsset&Version=2024-01-01");
    expect(sign({ ...call, url: other }, signing)).toEqual(sign(call, signing));
  });

  test("a signature changes with whatever it covers", () => {
    const changes = [
      { body: "{}" },
      { at: NOW + 1000 },
      { method: "GET" as const },
      { url: new URL("https://other.example.test/?Action=GetAsset&Version=2024-01-01") },
      { url: new URL("https://ark.example.test/?Action=GetAsset&Version=2024-01-02") },
    ];
    const all = changes.map((change) => sign({ ...call, ...change }, signing).authorization);
    expect(new Set([...all, sign(call, signing).authorization]).size).toBe(changes.length + 1);
  });

  test("a signature never shows the secret", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), (secretKey) => {
        const whole = JSON.stringify(sign(call, { ...signing, secretKey: `~${secretKey}` }));
        expect(whole).not.toContain(`~${secretKey}`);
      }),
    );
  });
});

describe("a registered asset", () => {
  test("an asset is registered in the account's group, signed, without a key", async () => {
    const { line, got } = await startLine(
      [json({ ResponseMetadata: { RequestId: "r" }, Result: { Id: "asset-1" } })],
      { ...service, signing: { ...signing, project: "p" } },
    );
    expect(await mediastyle.submit(line, ask)).toEqual({ id: "asset-1" });
    expect(got).toHaveLength(1);
    expect(got[0]).toMatchObject({
      method: "POST",
      path: "/?Action=CreateAsset&Version=2024-01-01",
      body: { GroupId: "group-1", URL: ask.url, AssetType: "Image", Name: "me", ProjectName: "p" },
    });
    const url = new URL(`${line.service.origin}${got[0]?.path}`);
    // What was sent is what was signed.
    expect(got[0]?.headers).toMatchObject(
      sign({ method: "POST", url, body: got[0]?.text ?? "", at: NOW }, signing),
    );
    expect(got[0]?.headers.host).toBe(url.host);
  });

  test("registering an asset needs a group", async () => {
    const { line, got } = await startLine([json({})], service);
    const { group: _, ...bare } = ask;
    expect(await mediastyle.submit(line, bare)).toMatchObject({
      state: "failed",
      trouble: { kind: "misconfigured" },
    });
    expect(got).toEqual([]);
  });

  test("the group of an account is made once and named within bounds", async () => {
    const { line, got } = await startLine([json({ Result: { Id: "group-1" } })], service);
    const description = "d".repeat(400);
    expect(await mediastyle.group(line, { name: "n".repeat(80), description })).toEqual({ id: "group-1" });
    expect(got[0]).toMatchObject({
      path: "/?Action=CreateAssetGroup&Version=2024-01-01",
      body: { Name: "n".repeat(64), Description: "d".repeat(300), GroupType: "AIGC" },
    });
  });

  test.each([
    ["Processing", { state: "running" }],
    ["Active", { state: "succeeded", result: { registered: "asset-1" } }],
    [
      "Failed",
      { state: "failed", trouble: { kind: "refused", code: "FaceMismatch", message: "another face" } },
    ],
    ["SomethingNew", { state: "running" }],
  ])("the provider's state of an asset is read: %s", async (Status, progress) => {
    const error = Status === "Failed" ? { Code: "FaceMismatch", Message: "another face" } : undefined;
    const { line, got } = await startLine(
      [json({ Result: { Id: "asset-1", Status, Error: error } })],
      service,
    );
    expect(await mediastyle.poll?.(line, "asset-1")).toEqual(progress);
    expect(got[0]).toMatchObject({
      path: "/?Action=GetAsset&Version=2024-01-01",
      body: { Id: "asset-1" },
    });
  });

  test("an asset fails with a code of ours where the provider gives none", async () => {
    const { line } = await startLine([json({ Result: { Id: "a", Status: "Failed" } })], service);
    expect(await mediastyle.poll?.(line, "a")).toMatchObject({ trouble: { code: "provider_rejected" } });
  });

  test.each([
    ["SubscriptionRequired", 400, "misconfigured"],
    ["AccessDenied", 403, "misconfigured"],
    ["SignatureDoesNotMatch", 401, "misconfigured"],
    ["InvalidAccessKey", 401, "misconfigured"],
    ["NotFound.AssetGroup", 404, "misconfigured"],
    ["NotFound.Asset", 404, "refused"],
    ["FlowLimitExceeded", 429, "unavailable"],
    ["InternalError", 500, "unavailable"],
    ["InvalidParameter.URL", 400, "refused"],
    ["InputImageSensitiveContentDetected", 400, "moderated"],
  ])("%s (%i) is %s, and an unanswered poll changes nothing", async (Code, status, kind) => {
    const answer = json({ ResponseMetadata: { Error: { Code, Message: "as it is" } } }, status);
    const { line } = await startLine([answer], service);
    const trouble = expect.objectContaining({ kind, code: Code, status });
    expect(await mediastyle.submit(line, ask)).toEqual({ state: "failed", trouble });
    const untold = kind === "misconfigured" || kind === "unavailable";
    expect(await mediastyle.poll?.(line, "a")).toEqual({ state: untold ? "running" : "failed", trouble });
  });

  test.each([[{}], [[]], ["<html>"], [{ Result: {} }]])("an answer of %j names no asset", async (body) => {
    const { line } = await startLine([json(body)], service);
    expect(await mediastyle.submit(line, ask)).toMatchObject({
      state: "failed",
      trouble: { kind: "unavailable" },
    });
  });

  test("an asset cannot be registered without credentials", async () => {
    const { line, got } = await startLine([json({})], { wire: "mediastyle", base: "" });
    expect(await mediastyle.submit(line, ask)).toMatchObject({ trouble: { kind: "misconfigured" } });
    expect(got).toEqual([]);
  });
});

test("a local asset is there at once, and is our own copy", async () => {
  const { line, got } = await startLine([json({})], service);
  expect(await localAsset.submit(line, ask)).toEqual({ state: "succeeded", result: {} });
  expect(got).toEqual([]);
});
