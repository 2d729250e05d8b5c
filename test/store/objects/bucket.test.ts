import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { openBucket } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../../packages/store/package.json" with { type: "json" };
import { pattern, readAll } from "./bytes.ts";
import { makeBucket, OWNER } from "./places/bucket.ts";
import { judge } from "./places/signature.ts";
import { objectsSuite } from "./suite.ts";

objectsSuite("bucket", makeBucket);

describe("the bucket store", () => {
  let place: Awaited<ReturnType<typeof makeBucket>>;
  beforeAll(async () => {
    place = await makeBucket();
  });
  afterAll(() => place.drop());

  const options = () => ({
    bucket: "outputs",
    region: "eu-test-1",
    endpoint: place.server.address,
    credentials: OWNER,
    pathStyle: true,
  });

  it("a bucket store does not open with a wrong secret, or where there is no such bucket", async () => {
    const wrong = openBucket({ ...options(), credentials: { ...OWNER, secretAccessKey: "wrong" } });
    await expect(wrong).rejects.toMatchObject({ code: "unavailable" });
    await expect(openBucket({ ...options(), bucket: "other" })).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  it("the links of a bucket store may carry another address than its own requests", async () => {
    const objects = await openBucket({ ...options(), publicEndpoint: "https://files.example" });
    await objects.put("a.png", pattern(3), { mediaType: "image/png" });
    const link = await objects.link("a.png", { expires: Date.now() + 60_000, mediaType: "image/png" });
    expect(new URL(link).origin + new URL(link).pathname).toBe("https://files.example/outputs/a.png");
    await objects.close();
  });

  it("a bucket store leaves the other contents of its bucket alone", async () => {
    const kept = { bytes: pattern(3), mediaType: "image/png", etag: '"e"', modified: 0 };
    place.server.objects
      .set("elsewhere/a.png", kept)
      .set("manifold/Not Ours", kept)
      .set("manifold/ours.png", kept);
    const found = await Array.fromAsync(place.objects.listOlder(1));
    expect(found.map(({ key }) => key)).toEqual(["ours.png"]);
  });

  it("a bucket store does not read ahead of a slow reader", async () => {
    await place.objects.put("slow.bin", Buffer.alloc(32 * 1024 * 1024), { mediaType: "video/mp4" });
    const before = place.server.counts.sent;
    const found = await place.objects.get("slow.bin");
    let read = 0;
    let most = 0;
    for await (const chunk of found!.stream) {
      read += chunk.length;
      most = Math.max(most, place.server.counts.sent - before - read);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(read).toBe(32 * 1024 * 1024);
    expect(most).toBeLessThanOrEqual(17 * 1024 * 1024);
  });

  it("a bucket store that cannot be reached says that it is unavailable", async () => {
    const gone = await makeBucket();
    await gone.server.close();
    await expect(gone.objects.head("a.png")).rejects.toMatchObject({ code: "unavailable" });
    await expect(gone.objects.put("a.png", pattern(3), { mediaType: "image/png" })).rejects.toMatchObject({
      code: "unavailable",
    });
    await gone.objects.close();
  });

  it("a bucket store reads what was put before, under its prefix", async () => {
    await place.objects.put("b/0.png", pattern(3), { mediaType: "image/png" });
    expect(place.server.objects.has("manifold/b/0.png")).toBe(true);
    expect(await readAll((await place.objects.get("b/0.png"))!.stream)).toEqual(pattern(3));
  });
});

it("the client library of buckets is loaded only where a bucket is opened, which names it where it is missing", async () => {
  const script = `
    import { registerHooks } from "node:module";
    const seen = [];
    registerHooks({
      resolve(name, context, next) {
        seen.push(name);
        if (!name.startsWith("@aws-sdk")) return next(name, context);
        throw Object.assign(new Error("not installed"), { code: "ERR_MODULE_NOT_FOUND" });
      },
    });
    const { openBucket } = await import("@manifold-gateway/store");
    const loaded = seen.filter((name) => name.startsWith("@aws-sdk") || name === "kysely");
    const { code, message } = await openBucket({ bucket: "b", region: "eu-central-1" }).catch((error) => error);
    console.log(JSON.stringify({ loaded, code, message }));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=manifold", "--input-type=module", "-e", script],
    { cwd: join(import.meta.dirname, "../../..") },
  );
  const { loaded, code, message } = JSON.parse(stdout);
  expect([...new Set(loaded)]).toEqual(["kysely"]);
  expect(code).toBe("no_client");
  expect(message).toContain("npm install ");
  for (const name of Object.keys(manifest.peerDependencies)) expect(message).toContain(` ${name}@`);
});

// The published example of a presigned download keeps the test server's judgement honest.
it("signatures are judged as in the protocol's own example", () => {
  const owner = {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  };
  const target =
    "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256" +
    "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
    "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
    "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
  const request = { method: "GET", target, headers: { host: "examplebucket.s3.amazonaws.com" } };
  const made = Date.UTC(2013, 4, 24);
  expect(judge(request, Buffer.alloc(0), owner, made)).toBeUndefined();
  expect(judge(request, Buffer.alloc(0), owner, made + 86_400_000)).toBe("AccessDenied");
  expect(judge({ ...request, method: "PUT" }, Buffer.alloc(0), owner, made)).toBe("SignatureDoesNotMatch");
});
