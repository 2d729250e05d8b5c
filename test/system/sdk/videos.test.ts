import { samples } from "@manifold-gateway/simulator";
import { type OpenAI, toFile } from "openai";
import { describe, expect, it } from "vitest";
import { stage } from "../../gateway/media/stage.ts";

const set = stage();

describe("videos by the official SDK", () => {
  const poll = async (id: string) => {
    for (;;) {
      const video = await set.chatstyle.videos.retrieve(id);
      if (["completed", "failed", "expired"].includes(video.status))
        return video as OpenAI.Video & Record<string, unknown>;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  };

  it("videos are submitted as a form, polled, downloaded whole and in part, and listed", async () => {
    const made = await set.chatstyle.videos.create({
      model: "video-router",
      prompt: "A boat.",
      seconds: "5" as "4",
      size: "1280x720",
    });
    // The states that helpers which poll know.
    expect(["queued", "in_progress"]).toContain(made.status);
    const done = await poll(made.id);
    expect(done).toMatchObject({
      status: "completed",
      polling_url: expect.stringContaining(`${set.h.origin}/api/chatstyle/v1/videos/`),
    });
    const [url] = done.unsigned_urls as string[];
    const bytes = Buffer.from(await (await set.chatstyle.videos.downloadContent(made.id)).arrayBuffer());
    expect(bytes.subarray(4, 8).toString()).toBe("ftyp");
    const part = await set.h.call(url ?? "", undefined, { headers: { range: "bytes=4-7" } });
    expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
    const missing = await set.h.call(`/api/chatstyle/v1/videos/${made.id}/content?index=1`);
    expect(missing.status).toBe(404);
    const second = await set.chatstyle.videos.create({
      model: "video-router",
      prompt: "Another.",
      size: "720x1280",
    });
    const listed: string[] = [];
    for await (const { id } of set.chatstyle.videos.list({ limit: 1 })) listed.push(id);
    expect(listed).toEqual([second.id, made.id]);
  });

  it("videos take a reference as a file, and as an address", async () => {
    const file = await toFile(samples.png(640, 640), "a.png", { type: "image/png" });
    const made = await set.chatstyle.videos.create({
      model: "video-router",
      prompt: "As this.",
      input_reference: file,
    });
    expect((await poll(made.id)).status).toBe("completed");
    const sent = set.h.simulator.ledger.entries.findLast(({ operation }) => operation === "video");
    expect(JSON.stringify(sent?.request)).toContain("input_references");
    const body = {
      model: "video-router",
      prompt: "As this.",
      input_reference: { image_url: "https://files.example.com/a.png" },
    };
    const answer = await set.h.json("/api/chatstyle/v1/videos", body);
    expect((await poll(answer.id)).status).toBe("completed");
  });

  it("videos that are not done cannot be downloaded", async () => {
    const made = await set.chatstyle.videos.create({
      model: "video-router",
      prompt: "Slow. [[outcome:running=40]]",
    });
    await expect(set.chatstyle.videos.downloadContent(made.id)).rejects.toMatchObject({ status: 409 });
  });

  it("videos expire and fail with words of their own", async () => {
    const expired = await set.chatstyle.videos.create({
      model: "video-router",
      prompt: "Slow. [[outcome:expire]]",
    });
    expect((await poll(expired.id)).status).toBe("expired");
    const failed = await set.chatstyle.videos.create({
      model: "video-router",
      prompt: "Bad. [[outcome:fail=moderation]]",
    });
    expect(await poll(failed.id)).toMatchObject({ status: "failed", error: expect.any(String) });
  });

  it("videos are routed to the aggregator only", async () => {
    const ask = set.chatstyle.videos.create({ model: "video", prompt: "A boat." });
    await expect(ask).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/model: 'video'/),
    });
  });
});
