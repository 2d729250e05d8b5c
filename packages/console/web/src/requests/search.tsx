import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { wordsOf } from "../api/refusal.ts";
import { type Finding, findById, KINDS, pageOf } from "../find.ts";
import { shownMoment } from "../state/zone.ts";
import type { Whose } from "./source.ts";

/** Finds what an id belongs to, whichever it is, and goes there; several findings are listed. */
export function Search({ whose }: { whose: Whose }) {
  const { route } = useLocation();
  const found = useSignal<{ q: string; results: readonly Finding[] } | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);
  const find = async (q: string): Promise<void> => {
    found.value = fault.value = undefined;
    if (q === "") return;
    try {
      const results = await findById(q, whose);
      const [first, ...others] = results;
      if (first && others.length === 0) route(pageOf(first));
      else found.value = { q, results };
    } catch (error) {
      fault.value = wordsOf(error);
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
        placeholder="Any id: request, x-request-id, job, batch, key"
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
                    {KINDS[one.kind]} {one.createdAt && shownMoment(one.createdAt)}
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
