import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasEnded, makeOwner } from "../../../packages/store/src/engine/owner.ts";

/** The owner that another process of this machine would have. */
function ownerOf(pid: number): string {
  const began = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ")[19]!;
  return changed(makeOwner(), { 1: String(pid), 3: began });
}

const changed = (owner: string, parts: Record<number, string>): string =>
  owner
    .split("/")
    .map((part, at) => parts[at] ?? part)
    .join("/");

const end = async (child: ChildProcess): Promise<void> => {
  child.kill("SIGKILL");
  await once(child, "exit");
};

describe.runIf(process.platform === "linux")("the end of an owner's process", () => {
  it("a process that runs or is stopped has not ended, and one that is gone has", async () => {
    const child = spawn("sleep", ["60"]);
    await once(child, "spawn");
    const owner = ownerOf(child.pid!);
    expect([hasEnded(makeOwner()), hasEnded(owner)]).toEqual([false, false]);
    child.kill("SIGSTOP");
    expect(hasEnded(owner)).toBe(false);
    await end(child);
    expect(hasEnded(owner)).toBe(true);
  });

  it("a process has ended even before its parent has collected it", async () => {
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    const owner = ownerOf(pid);
    expect(hasEnded(owner)).toBe(false);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => hasEnded(owner)).toBe(true);
    // Some systems take the place of a parent that does not wait for its children.
    if (existsSync(`/proc/${pid}/stat`))
      expect(readFileSync(`/proc/${pid}/stat`, "latin1")).toContain(") Z ");
    await end(parent);
  });

  it("a process has ended where its number belongs to another now", () => {
    expect(hasEnded(changed(makeOwner(), { 3: "1" }))).toBe(true);
  });

  it.each([
    ["of another machine, or of a container that has process numbers of its own", { 2: "x".repeat(16) }],
    ["whose machine did not tell", { 2: "-", 3: "-" }],
    ["of a version that named no machine", { 2: crypto.randomUUID(), 3: crypto.randomUUID() }],
  ])("the end is unknown for a process %s", (_, parts) => {
    for (const pid of [process.pid, 2 ** 22])
      expect(hasEnded(changed(makeOwner(), { 1: String(pid), ...parts }))).toBeUndefined();
  });

  it("the end is unknown for what is no name of a process", () => {
    for (const owner of ["", "elsewhere", "a/b/c/d/e", "//"]) expect(hasEnded(owner)).toBeUndefined();
  });
});
