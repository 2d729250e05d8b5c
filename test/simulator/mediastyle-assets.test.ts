import { expect, test } from "vitest";
import { stage } from "./setup.ts";
import { bytesOf, readPicture, signed } from "./wires.ts";

const set = stage();
type Options = Parameters<typeof signed>[3];
const send = (action: string, body: object, options?: Options) =>
  fetch(...signed(set.origin, action, body, options));
const act = async (action: string, body: object) => (await (await send(action, body)).json()).Result;
const group = async () => (await act("CreateAssetGroup", { Name: "people" })).Id as string;
const asset = async (extra: object = {}) =>
  (
    await act("CreateAsset", {
      GroupId: await group(),
      URL: "https://a.test/a.png",
      AssetType: "Image",
      ...extra,
    })
  ).Id;

test("an asset is prepared and then active, under a link", async () => {
  const answer = await send("CreateAssetGroup", { Name: "people", GroupType: "AIGC" });
  const { ResponseMetadata, Result } = await answer.json();
  expect(ResponseMetadata).toMatchObject({
    Action: "CreateAssetGroup",
    Version: "2024-01-01",
    Service: "ark",
  });
  expect(Result.Id).toMatch(/^group-/);
  const Id = await asset({ Name: "me" });
  expect(Id).toMatch(/^asset-/);
  expect(await act("GetAsset", { Id })).toMatchObject({
    Id,
    Status: "Processing",
    Name: "me",
    AssetType: "Image",
  });
  const ready = await act("GetAsset", { Id });
  expect(ready.Status).toBe("Active");
  expect(readPicture(await bytesOf(await fetch(ready.URL)))).toMatchObject({ type: "png" });
  expect(set.simulator.ledger.mediaJobs({ operation: "asset" })).toMatchObject([
    { id: Id, state: "succeeded", reads: 2 },
  ]);
});

test("assets fail by directive, in the name or in the link", async () => {
  const Id = await asset({ Name: "[[outcome:running=0,fail=Face]]" });
  expect(await act("GetAsset", { Id })).toMatchObject({ Status: "Failed", Error: { Code: "Face" } });
  const linked = await asset({ URL: "https://a.test/a.png?[[outcome:queued=2]]" });
  const seen = [];
  for (let n = 0; n < 4; n++) seen.push((await act("GetAsset", { Id: linked })).Status);
  expect(seen).toEqual(["Processing", "Processing", "Processing", "Active"]);
});

test("assets are listed, renamed and deleted", async () => {
  const Id = await asset();
  expect(await act("ListAssets", { PageNumber: 1, PageSize: 10 })).toMatchObject({
    TotalCount: 1,
    Items: [{ Id }],
  });
  await act("UpdateAsset", { Id, Name: "new" });
  expect((await act("GetAsset", { Id })).Name).toBe("new");
  await act("DeleteAsset", { Id });
  expect((await send("GetAsset", { Id })).status).toBe(404);
  const one = await group();
  await act("UpdateAssetGroup", { Id: one, Name: "others" });
  expect(await act("GetAssetGroup", { Id: one })).toMatchObject({ Name: "others", GroupType: "AIGC" });
  expect((await act("ListAssetGroups", {})).TotalCount).toBe(2);
  await act("DeleteAssetGroup", { Id: one });
  expect((await send("GetAssetGroup", { Id: one })).status).toBe(404);
});

test("actions fail on demand, in their own envelope", async () => {
  set.simulator.script("[[fault:status=429]]", { operation: "asset" });
  const one = await group();
  const given = { GroupId: one, URL: "https://a.test/a.png", AssetType: "Image" };
  const busy = await send("CreateAsset", given);
  expect([busy.status, (await busy.json()).ResponseMetadata.Error.Code]).toEqual([429, "FlowLimitExceeded"]);
  const late = await send("CreateAsset", { ...given, Name: "[[fault:status=500,late]]" });
  expect([late.status, (await late.json()).ResponseMetadata.Error.Code]).toEqual([500, "InternalError"]);
  expect(set.simulator.ledger.orphans()).toMatchObject([{ operation: "asset", isDelivered: false }]);
});

test("a person who passed the visual check gets a group of their own", async () => {
  const { BytedToken, H5Link } = await act("CreateVisualValidateSession", {
    CallbackURL: "https://a.test/back",
  });
  expect((await fetch(H5Link)).status).toBe(200);
  const { GroupId } = await act("GetVisualValidateResult", { BytedToken });
  expect((await act("GetAssetGroup", { Id: GroupId })).GroupType).toBe("LivenessFace");
  expect((await send("GetVisualValidateResult", { BytedToken: "none" })).status).toBe(404);
});

test.each([
  ["the secret", { secret: "other" }, "SignatureDoesNotMatch"],
  ["the service", { service: "other" }, "InvalidCredential"],
  ["the time", { date: "20231114T210000Z" }, "RequestExpired"],
])("a signature is refused for %s", async (_, options, code) => {
  const answer = await send("ListAssets", {}, options);
  expect([answer.status, (await answer.json()).ResponseMetadata.Error.Code]).toEqual([401, code]);
});

test("a signature holds for its own body, query and headers only", async () => {
  const [url, init] = signed(set.origin, "ListAssets", {});
  const codeOf = async (target: string, given: RequestInit) =>
    (await (await fetch(target, given)).json()).ResponseMetadata.Error?.Code;
  expect(await codeOf(url, init)).toBeUndefined();
  expect(await codeOf(url, { ...init, body: '{"PageSize":1}' })).toBe("SignatureDoesNotMatch");
  expect(await codeOf(`${url}&X=1`, init)).toBe("SignatureDoesNotMatch");
  const headers = { ...(init.headers as Record<string, string>) };
  expect(await codeOf(url, { ...init, headers: { ...headers, "content-type": "text/plain" } })).toBe(
    "SignatureDoesNotMatch",
  );
  expect(await codeOf(url, { ...init, headers: { ...headers, authorization: "Bearer key" } })).toBe(
    "InvalidAuthorization",
  );
});

const base = { GroupId: "group-1", URL: "https://a.test/a.png", AssetType: "Image" };
test.each([
  ["CreateAssetGroup", {}, 400],
  ["CreateAssetGroup", { Name: "x".repeat(65) }, 400],
  ["CreateAssetGroup", { Name: "a", Description: "x".repeat(301) }, 400],
  ["CreateAssetGroup", { Name: "a", GroupType: "Other" }, 400],
  ["CreateAsset", base, 404],
  ["CreateAsset", { ...base, URL: "ftp://a.test" }, 400],
  ["CreateAsset", { ...base, AssetType: "Text" }, 400],
  ["CreateAsset", { ...base, Name: "x".repeat(65) }, 400],
  ["CreateAsset", { ...base, Url: "x" }, 400],
  ["GetAsset", { Id: "asset-none" }, 404],
  ["GetAsset", {}, 400],
  ["Explode", {}, 404],
])("%s refuses %j with %i", async (action, body, status) => {
  const answer = await send(action, body);
  expect(answer.status).toBe(status);
  expect((await answer.json()).ResponseMetadata.Error).toMatchObject({
    Code: expect.any(String),
    Message: expect.any(String),
  });
});
