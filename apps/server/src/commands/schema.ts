import { z } from "zod";
import { configSchema } from "../config/schema.ts";
import type { Command } from "./command.ts";

export const schema: Command = {
  usage: [["", "print the JSON Schema of the configuration file"]],
  async run({ print }) {
    print(JSON.stringify(z.toJSONSchema(configSchema, { io: "input" }), null, 2));
    return 0;
  },
};
