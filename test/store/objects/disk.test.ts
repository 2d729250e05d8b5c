import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLinks, openDisk } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pattern, readAll } from "./bytes.ts";
import { makeDisk } from "./places/disk.ts";
import { objectsSuite } from "./suite.ts";

objectsSuite("disk", makeDisk);

describe("the disk store", () => {
  let place: Awaited<ReturnType<typeof makeDisk>>;
  beforeAll(async () => {
    place = await makeDisk();
  });
  afterAll(() => place.drop());

  const pathOf = (key: string): string => {
    const name = createHash("sha256").update(key).digest("hex");
    return join(place.folder, name.slice(0, 2), name.slice(2));
  };
  const put = (key: string, size: number) =>
    place.objects.put(key, pattern(size), { mediaType: "image/png" });

  it("files of a disk store are readable by their owner only, with the object's bytes first", async () => {
    await put("kept/0.png", 50);
    expect((await readFile(pathOf("kept/0.png"))).subarray(0, 50)).toEqual(pattern(50));
    if (process.platform !== "win32") expect((await stat(pathOf("kept/0.png"))).mode & 0o777).toBe(0o600);
  });

  it("a file that was cut, has another key or is a link is not taken for an object", async () => {
    await put("cut.png", 50);
    await truncate(pathOf("cut.png"), 40);
    await put("moved.png", 50);
    await mkdir(join(pathOf("other.png"), ".."), { recursive: true });
    await writeFile(pathOf("other.png"), await readFile(pathOf("moved.png")));
    for (const key of ["cut.png", "other.png"]) {
      await expect(place.objects.get(key)).rejects.toMatchObject({ code: "damaged" });
      await expect(place.objects.head(key)).rejects.toMatchObject({ code: "damaged" });
    }
    await rm(pathOf("other.png"));
    await symlink(pathOf("moved.png"), pathOf("other.png"));
    await expect(place.objects.get("other.png")).rejects.toMatchObject({ code: "unavailable" });
  });

  it("a disk store reads only on demand, and reports a file that ends early", async () => {
    await put("early.png", 300_000);
    const found = await place.objects.get("early.png");
    const reader = found!.stream.getReader();
    expect((await reader.read()).value?.length).toBe(65_536);
    await truncate(pathOf("early.png"), 70_000);
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow("shorter");
  });

  it("a reader continues with an object that was replaced or removed meanwhile", async () => {
    await put("replaced.png", 200_000);
    const found = await place.objects.get("replaced.png");
    await put("replaced.png", 10);
    await place.objects.remove("replaced.png");
    expect(await readAll(found!.stream)).toEqual(pattern(200_000));
  });

  it("a disk store clears away what a dead process left behind, and only that", async () => {
    const drafts = join(place.folder, "tmp");
    await writeFile(join(drafts, "dead"), "x");
    await writeFile(join(drafts, "alive"), "x");
    await utimes(join(drafts, "dead"), 1, 1);
    const links = createLinks({ base: "http://x", secrets: [{ id: "1", secret: "s".repeat(32) }] });
    await openDisk({ folder: place.folder, links });
    expect(await readdir(drafts)).toEqual(["alive"]);
  });

  it("a disk store says that it is unavailable where the folder is no folder", async () => {
    const links = createLinks({ base: "http://x", secrets: [{ id: "1", secret: "s".repeat(32) }] });
    const opening = openDisk({ folder: import.meta.filename, links });
    await expect(opening).rejects.toMatchObject({ code: "unavailable" });
  });
});
