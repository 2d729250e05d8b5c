import { type ApiDocument, useDocument } from "../api/document.ts";
import { Route } from "../api/route.tsx";
import type { Entry } from "../api/samples.ts";
import { inWords, PROTOCOLS } from "../request/words.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Badge } from "../ui/badge.tsx";
import { Find } from "../ui/filters.tsx";
import { Empty, Head } from "../ui/parts.tsx";

const searchText = ({ method, path, operation }: Entry): string =>
  `${method} ${path} ${operation.summary ?? ""} ${operation.description ?? ""}`.toLowerCase();

/** The surfaces by the names that the console gives them. */
const TAGS = {
  ...PROTOCOLS,
  account: "Account",
  auth: "Sessions",
  admin: "Administration",
  keys: "Keys",
  service: "Service",
  objects: "Files",
  console: "Console",
};

/** The routes of the service, by surface; each folds. */
export default function Api() {
  return (
    <>
      <Head title="API" about="The endpoints of the service, by surface.">
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
        <Find
          name="Search"
          placeholder="Path or description"
          value={params.search}
          onChange={(typed) => set({ search: typed }, true)}
        />
        <span class="faint">
          {fitting.length} of {entries.length} endpoints
        </span>
      </search>
      {fitting.length === 0 && <Empty title="No endpoint matches the search" icon="api" />}
      {tags.map(({ name, description }) => {
        const tagged = fitting.filter(({ operation }) => operation.tags?.includes(name));
        if (tagged.length === 0) return null;
        return (
          <details key={name} class="surface" open={words.length > 0}>
            <summary>
              <b>{inWords(TAGS, name)}</b> <Badge>{String(tagged.length)}</Badge>{" "}
              <span class="faint">{description}</span>
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
