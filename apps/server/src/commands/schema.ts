import { z } from "zod";
import { configSchema } from "../config/schema.ts";
import type { Run } from "./call.ts";

export const schema: Run = async ({ print }) => {
  print(JSON.stringify(z.toJSONSchema(configSchema, { io: "input" }), null, 2));
  return 0;
};
