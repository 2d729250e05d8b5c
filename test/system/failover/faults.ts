import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ask, cut, startMember } from "../../../deploy/cluster/cluster.ts";
import type { Member } from "../../../deploy/cluster/plan.ts";
import { pidOf } from "../../../deploy/cluster/processes.ts";
import { fill, makeRoom } from "./disks.ts";
import type { Stage } from "./stage.ts";

/** Something that befalls the primary, or another member. */
export interface Fault {
  /** Begins it; `primary` is the member that is one, `replica` the one whose word it waits for. */
  begin(stage: Stage, primary: Member, replica: Member): Promise<void> | void;
  /** How long it lasts, in ms. */
  lastsMs: number;
  end?(stage: Stage, primary: Member, replica: Member): Promise<void> | void;
  /** No other member becomes the primary. */
  isKept?: true;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The number of the member's Postgres, the parent of all of its processes. */
function postmasterOf({ plan }: Stage, { name }: Member): number | undefined {
  try {
    return Number(readFileSync(join(plan.folder, "data", name, "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [, above] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(above) === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function signal(pids: readonly (number | undefined)[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      if (pid !== undefined) process.kill(pid, name);
    } catch {
      // It has ended.
    }
}

const patroniOf = ({ plan }: Stage, { name }: Member): number | undefined =>
  pidOf(plan.folder, `patroni-${name}`);

/** Patroni and all processes of its Postgres. */
function everythingOf(stage: Stage, member: Member): (number | undefined)[] {
  const postmaster = postmasterOf(stage, member);
  return [patroniOf(stage, member), postmaster, ...(postmaster === undefined ? [] : childrenOf(postmaster))];
}

const startAgain = ({ plan, user }: Stage, member: Member): void => startMember(plan, member, user);

const cutFor = (way: "both" | "to" | "from"): Fault => ({
  begin: ({ plan }, { name }) => cut(plan, name, way),
  lastsMs: 40_000,
  end: ({ plan }, { name }) => cut(plan, name, "none"),
});

/** The faults, by the names of the table. */
export const FAULTS: Record<string, Fault> = {
  "its Postgres is killed": {
    begin: (stage, primary) => signal([postmasterOf(stage, primary)], "SIGKILL"),
    lastsMs: 10_000,
  },
  "its machine is gone": {
    begin: (stage, primary) => signal(everythingOf(stage, primary), "SIGKILL"),
    lastsMs: 30_000,
    end: startAgain,
  },
  "its disk is full": {
    async begin({ plan }, primary) {
      fill(plan, primary);
      // Tables cannot grow from here on. The log has room of its own for a while, and fills more quickly this way.
      await pause(5_000);
      const more = `SELECT pg_logical_emit_message(false, 'filler', repeat('x', ${16 << 20}))`;
      for (let tries = 0; tries < 100; tries++)
        if (
          await ask(primary, more).then(
            () => false,
            () => true,
          )
        )
          break;
    },
    lastsMs: 40_000,
    end: ({ plan }, primary) => makeRoom(plan, primary),
  },
  "its network is cut": cutFor("both"),
  "nothing reaches it": cutFor("to"),
  "nothing comes from it": cutFor("from"),
  "it stands still for 50 s": {
    begin: (stage, primary) => signal(everythingOf(stage, primary), "SIGSTOP"),
    lastsMs: 50_000,
    end: (stage, primary) => signal(everythingOf(stage, primary), "SIGCONT"),
  },
  "a switchover is ordered": {
    async begin(_, primary, replica) {
      const answer = await fetch(`http://127.0.0.1:${primary.own.rest}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: primary.name, candidate: replica.name }),
      });
      if (!answer.ok) throw new Error(`the switchover is refused: ${answer.status} ${await answer.text()}`);
    },
    lastsMs: 10_000,
  },
  "its replica is gone": {
    begin: (stage, _, replica) => signal(everythingOf(stage, replica), "SIGKILL"),
    lastsMs: 15_000,
    end: (stage, _, replica) => startAgain(stage, replica),
    isKept: true,
  },
};
