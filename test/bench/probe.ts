import { closeSync, fdatasync, openSync, write } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

const put = promisify(write);
const sync = promisify(fdatasync);

/** Between two writes, in ms: often enough to see the disk, too rarely to keep it busy. */
const PAUSE = 40;

/** Measures how long the disk of a folder takes for a write of 4 KB, until it is told to end; milliseconds. */
export function probeDisk(folder: string): { end(): Promise<number[]> } {
  const file = openSync(join(folder, "probe"), "w");
  const page = Buffer.alloc(4_096, 1);
  const waits: number[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const began = performance.now();
      await put(file, page);
      await sync(file);
      waits.push(performance.now() - began);
      await setTimeout(PAUSE);
    }
  };
  const running = run();
  return {
    async end() {
      isOver = true;
      await running;
      closeSync(file);
      return waits;
    },
  };
}
