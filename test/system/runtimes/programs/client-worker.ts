import { answersOf } from "./client.ts";

export default {
  fetch: async (_: Request, { UPSTREAM }: { UPSTREAM: string }): Promise<Response> =>
    Response.json(await answersOf(UPSTREAM)),
};
