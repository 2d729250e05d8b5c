import { type ApiDocument, useDocument } from "../api/document.ts";
import { Route } from "../api/route.tsx";
import type { Entry } from "../api/samples.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Empty, Head } from "../ui/parts.tsx";

const searchText = ({ method, path, operation }: Entry): string =>
  `${method} ${path} ${operation.summary ?? ""} ${operation.description ?? ""}`.toLowerCase();

/** The routes of the service, by surface; each folds. */
export default function Api() {
  return (
    <>
      <Head title="API" about="The routes of the service, by surface.">
        <a class="button" href="/docs" target="_blank" rel="noreferrer">
          The plain document
        </a>
      </Head>
      <Awaited label="the document" of={useDocument()}>
        {(document) => <Routes of={document} />}
      </Awaited>
    </>
  );
}

function Routes({ of: { tags, paths } }: { of: ApiDocument }) {
  const [params, set] = useParams();
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Entry => ({ method: method.toUpperCase(), path, operation }),
    ),
  );
  const words = (params.search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = entries.filter((entry) => words.every((word) => searchText(entry).includes(word)));
  return (
    <>
      <search class="filters">
        <label>
          search
          <input
            type="search"
            data-filter
            value={params.search ?? ""}
            onInput={(event) => set({ search: event.currentTarget.value })}
          />
        </label>
        <span class="faint">
          {fitting.length} of {entries.length} routes
        </span>
      </search>
      {fitting.length === 0 && (
        <Empty>
          <p>No route matches the search.</p>
        </Empty>
      )}
      {tags.map(({ name, description }) => {
        const tagged = fitting.filter(({ operation }) => operation.tags?.includes(name));
        if (tagged.length === 0) return null;
        return (
          <details key={name} open={words.length > 0}>
            <summary>
              <b>{name}</b> <span class="faint">{description}</span> ({tagged.length})
            </summary>
            {tagged.map((entry) => (
              <Route key={`${entry.method} ${entry.path}`} of={entry} />
            ))}
          </details>
        );
      })}
    </>
  );
}
