import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { type Answer, call } from "../api/client.ts";
import type { Whose } from "./source.ts";

type Finding = Answer<"/api/compat/v1/find">["results"][number];

const WORDS: Record<Finding["kind"], string> = {
  generation: "request",
  request: "request, by its request id",
  job: "job",
  key: "key",
  account: "account",
};

/** The page that shows what was found. */
const pageOf = ({ kind, id, accountId }: Finding): string => {
  const at = encodeURIComponent(id);
  if (kind === "job") return `/console/jobs/${at}`;
  if (kind === "key") return `/console/requests?key=${at}`;
  if (kind === "account") return `/console/accounts/${encodeURIComponent(accountId ?? id)}`;
  return `/console/requests/${at}`;
};

/** Finds what an id belongs to, whichever it is, and goes there; several findings are listed. */
export function Search({ whose }: { whose: Whose }) {
  const { route } = useLocation();
  const found = useSignal<{ q: string; results: readonly Finding[] } | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);
  const find = async (q: string): Promise<void> => {
    found.value = fault.value = undefined;
    if (q === "") return;
    try {
      const query = { q };
      const { results } =
        whose === "all"
          ? await call("get", "/api/admin/find", { query })
          : await call("get", "/api/compat/v1/find", { query });
      const [first, ...others] = results;
      if (first && others.length === 0) route(pageOf(first));
      else found.value = { q, results };
    } catch (error) {
      fault.value = (error as Error).message;
    }
  };
  return (
    <form
      class="find"
      onSubmit={(event) => {
        event.preventDefault();
        void find(String(new FormData(event.currentTarget).get("q") ?? "").trim());
      }}
    >
      <input
        type="search"
        name="q"
        data-filter
        autocomplete="off"
        spellcheck={false}
        aria-label="Find by id"
        placeholder="Any id: request, x-request-id, job, key"
      />
      <button type="submit">Find</button>
      {fault.value !== undefined && (
        <p class="hint wrong" role="alert">
          {fault.value}
        </p>
      )}
      {found.value && (
        <div class="found" role="status">
          {found.value.results.length === 0 ? (
            <p>
              Nothing has the id <code>{found.value.q}</code>.
            </p>
          ) : (
            <ul>
              {found.value.results.map((one) => (
                <li key={`${one.kind} ${one.id}`}>
                  <a href={pageOf(one)}>{one.name ?? one.id}</a>{" "}
                  <span class="faint">
                    {WORDS[one.kind]} {one.createdAt?.slice(0, 19).replace("T", " ")}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </form>
  );
}
