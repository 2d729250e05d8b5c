import { call } from "../api/client.ts";

/** Asks for the names of the keys of the own account, or of any for operators. */
export const keyNames = (accountId: string | undefined) => ({
  queryKey: accountId === undefined ? ["keys", "names"] : ["keys", "names", accountId],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { results } =
      accountId === undefined
        ? await call("get", "/api/compat/v1/api-keys", { signal })
        : await call("get", "/api/admin/accounts/{accountId}/api-keys", { path: { accountId }, signal });
    return { results: results.map(({ id, name }) => ({ id, name })) };
  },
});
