import cluster from "node:cluster";

/**
 * Loaded into every server of the benchmark, this gateway's included: it reports the memory that is held after a
 * garbage collection when it is asked, and ends the process with the benchmark. Members of a cluster have a parent of
 * their own that does this. Plain JavaScript: what strips types would be 45 MB of what is measured.
 */
if (cluster.isPrimary) {
  process.on("message", () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.(heapUsed + external);
  });
  process.on("disconnect", () => process.exit(0));
}
