import { type Command, withStore } from "./command.ts";

export const audit: Command = {
  usage: [
    ["", "compare every total and charge with what it stands for; exit code 1 on a difference"],
    ["--repair", "write the sums of usage anew first, where they differ; money is never changed"],
  ],
  run: (call) =>
    withStore(call, async (store) => {
      if (call.options.repair) {
        const hours = await store.usage.repair();
        if (hours > 0) call.print(`${hours} sums of hours were written anew`);
      }
      const differences = await store.money.audit();
      for (const difference of differences) call.print(JSON.stringify(difference));
      if (differences.length === 0) call.print("no difference");
      return differences.length === 0 ? 0 : 1;
    }),
};
