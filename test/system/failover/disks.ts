import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Member, Plan } from "../../../deploy/cluster/plan.ts";
import type { User } from "../../../deploy/cluster/processes.ts";

/** Room for a database, its log and little more. */
const SIZE = "640m";

const folderOf = ({ folder }: Plan, name: string): string => join(folder, "data", name);

function mount(command: "mount" | "umount", ...words: string[]): void {
  const { status, stderr } = spawnSync(command, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${stderr}`);
}

/** Gives each member a file system of its own, which takes root. */
export function mountMembers(plan: Plan, user: User | undefined): void {
  for (const { name } of plan.members) {
    const folder = folderOf(plan, name);
    mkdirSync(folder, { recursive: true });
    const owner = user ? `,uid=${user.uid},gid=${user.gid}` : "";
    mount("mount", "-t", "tmpfs", "-o", `size=${SIZE},mode=700${owner}`, "tmpfs", folder);
  }
}

export function unmountMembers(plan: Plan): void {
  for (const { name } of plan.members) mount("umount", "-l", folderOf(plan, name));
}

const fillerOf = (plan: Plan, { name }: Member): string => join(folderOf(plan, name), "filler");

/** Writes until nothing more fits. */
export function fill(plan: Plan, member: Member): void {
  for (const size of [1 << 20, 1 << 12])
    for (;;)
      try {
        writeFileSync(fillerOf(plan, member), Buffer.alloc(size), { flag: "a" });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        break;
      }
}

export const makeRoom = (plan: Plan, member: Member): void => rmSync(fillerOf(plan, member), { force: true });
