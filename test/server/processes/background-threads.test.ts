import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Prints the name and the niceness of each thread of a process that has lowered those of the runtime. */
const PROGRAM = `
  import { readdirSync, readFileSync } from "node:fs";
  import { lowerBackgroundThreads } from "${new URL("../../../apps/server/src/processes/background-threads.ts", import.meta.url)}";
  lowerBackgroundThreads();
  const threads = readdirSync("/proc/self/task").map((id) => {
    const [, name, rest] = /\\((.*)\\) (.*)/.exec(readFileSync(\`/proc/self/task/\${id}/stat\`, "utf8"));
    return [name, Number(rest.split(" ")[16])];
  });
  console.log(JSON.stringify(threads));
`;

test.runIf(process.platform === "linux")(
  "the runtime's threads yield to requests, others do not",
  async () => {
    const ran = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", PROGRAM]);
    const threads = JSON.parse(ran.stdout) as [name: string, nice: number][];
    const nicenessOf = (isRuntime: boolean) =>
      new Set(threads.filter(([name]) => (name === "V8Worker") === isRuntime).map(([, nice]) => nice));
    expect(nicenessOf(true)).toEqual(new Set([10]));
    expect(nicenessOf(false)).toEqual(new Set([0]));
  },
);
