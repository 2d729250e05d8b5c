const DAY = 86_400_000;

/** A question that a page asks: by the key of an account, or by the operator's. */
export interface Question {
  title: string;
  by: "busy" | "quiet" | "operator";
  path: string;
}

/** The questions of the console's pages, at a moment. `id` is that of a record of the busy account. */
export function questionsAt(now: number, id: string): Question[] {
  const since = (days: number): string => new Date(now - days * DAY).toISOString().slice(0, 10);
  const records = "/api/compat/v1/usage";
  const all = "/api/admin/generations";
  const chart = `by=model&bucket=day&from=${since(30)}`;
  const year = `by=model&bucket=month&from=${since(360)}`;
  return [
    { title: "newest 50 records of a busy account", by: "busy", path: `${records}?after=0&limit=50` },
    { title: "newest 50 records of a quiet account", by: "quiet", path: `${records}?after=0&limit=50` },
    { title: "its failed ones", by: "busy", path: `${records}?after=0&limit=50&status=failed` },
    {
      title: "those of another model, of which there are none",
      by: "busy",
      path: `${records}?after=0&limit=50&model=other`,
    },
    { title: "newest 50 with their total", by: "busy", path: `${records}?limit=50` },
    { title: "the dearest of 30 days", by: "busy", path: `${records}?limit=50&sort=cost&from=${since(30)}` },
    { title: "sums over the records of 30 days", by: "busy", path: `${records}/totals?from=${since(30)}` },
    { title: "30 days of a busy account by model", by: "busy", path: `${records}/series?${chart}` },
    { title: "twelve months of it", by: "busy", path: `${records}/series?${year}` },
    { title: "its ledger", by: "busy", path: "/api/compat/v1/ledger?limit=50" },
    { title: "one record by its id", by: "busy", path: `${records}/${id}` },
    { title: "newest 50 records of all accounts", by: "operator", path: `${all}?limit=50` },
    { title: "failed ones of all", by: "operator", path: `${all}?limit=50&status=failed` },
    { title: "sums over all records of a day", by: "operator", path: `${all}/totals?from=${since(1)}` },
    { title: "sums over all records of 30 days", by: "operator", path: `${all}/totals?from=${since(30)}` },
    { title: "30 days of all accounts by model", by: "operator", path: `/api/admin/usage/series?${chart}` },
    {
      title: "30 days by account",
      by: "operator",
      path: `/api/admin/usage/series?${chart.replace("model", "account")}`,
    },
    { title: "twelve months of all accounts", by: "operator", path: `/api/admin/usage/series?${year}` },
    { title: "accounts", by: "operator", path: "/api/admin/accounts?limit=50" },
    { title: "overview", by: "operator", path: "/api/admin/overview" },
    { title: "providers", by: "operator", path: "/api/admin/providers" },
    { title: "books by day", by: "operator", path: "/api/admin/books" },
  ];
}
