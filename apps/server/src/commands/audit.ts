import { type Command, withStore } from "./command.ts";

export const audit: Command = {
  usage: [["", "compare every total and charge with what it stands for; exit code 1 on a difference"]],
  run: (call) =>
    withStore(call, async (store) => {
      const differences = await store.money.audit();
      for (const difference of differences) call.print(JSON.stringify(difference));
      if (differences.length === 0) call.print("no difference");
      return differences.length === 0 ? 0 : 1;
    }),
};
