/** A film from text: what it will cost at most, the order, the wait, and the file. */
import assert from "node:assert/strict";
import { openStudio } from "./support/studio.ts";

interface Task {
  taskId: string;
  status: string;
  downloadUrl: string;
  error?: string;
}

const studio = await openStudio();
try {
  const order = {
    model: "film",
    // The second half is for the simulator: it looks busy for a while.
    content: [{ type: "text", text: "A paper boat on a stream. [[outcome:queued=1,running=3]]" }],
    duration: 5,
    resolution: "720p",
    ratio: "16:9",
  };
  const { data } = await studio.ask<{ data: { estimatedUserCost: number } }>("v1/video/estimate", order);
  console.log(`at most ${data.estimatedUserCost} USD`);
  const { taskId } = await studio.ask<Task>("v1/video/generations", order);
  console.log(`video task ${taskId}`);
  const task = await studio.wait<Task>(`v1/video/tasks/${taskId}`);
  assert.equal(task.status, "succeeded", task.error);
  assert.ok((await studio.save("boat.mp4", task.downloadUrl)) > 1000);
  const paid = 10 - (await studio.balance());
  console.log(`charged ${paid.toFixed(6)} USD`);
  assert.ok(paid > 0 && paid <= data.estimatedUserCost + 1e-9);
} finally {
  await studio.close();
}
