import { readdirSync, readFileSync } from "node:fs";

/** What a process and those that it started have used since they began; Linux only. */
export interface Usage {
  /** CPU of all threads, in microseconds. */
  cpu: number;
  /** Resident memory in MiB. */
  resident: number;
}

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // A thread that has just ended.
    return "";
  }
};

export function usageOf(pid: number): Usage | undefined {
  const folder = `/proc/${pid}/task`;
  let threads: string[];
  try {
    threads = readdirSync(folder);
  } catch {
    return undefined;
  }
  const [, kilobytes = 0] = /^VmRSS:\s*(\d+)/m.exec(read(`/proc/${pid}/status`)) ?? [];
  const sum = { cpu: 0, resident: Number(kilobytes) / 1_024 };
  for (const thread of threads) {
    sum.cpu += Number(read(`${folder}/${thread}/schedstat`).split(" ", 1)[0]) / 1_000;
    for (const child of read(`${folder}/${thread}/children`).split(" ").filter(Boolean)) {
      const usage = usageOf(Number(child));
      sum.cpu += usage?.cpu ?? 0;
      sum.resident += usage?.resident ?? 0;
    }
  }
  return sum;
}
