import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { CatalogChanges } from "../config/changes.tsx";
import { Reloads } from "../config/reloads.tsx";
import { Settings } from "../config/settings.tsx";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Head } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";

/** The settings that the service runs with, and what its file would change. */
export default function Configuration() {
  const [params, set] = useParams();
  const settings = useQuery({
    queryKey: ["config"],
    queryFn: ({ signal }) => call("get", "/api/admin/config", { signal }),
  });
  const reloads = useQuery({
    queryKey: ["config", "reloads"],
    queryFn: ({ signal }) => call("get", "/api/admin/config/reloads", { signal }),
    // The server may have got a signal since.
    staleTime: 0,
  });
  const isRefused = reloads.data?.reloads.some(({ isApplied }) => !isApplied);
  const tabs = {
    settings: {
      title: "Settings",
      body: (
        <Awaited label="the configuration" of={settings}>
          {(data) => <Settings of={data.settings} />}
        </Awaited>
      ),
    },
    reloads: {
      title: isRefused ? "Last reload: refused" : "Last reload",
      body: (
        <Awaited label="the reloads" of={reloads}>
          {(data) => <Reloads of={data.reloads} />}
        </Awaited>
      ),
    },
    catalog: { title: "Changes to the catalog", body: <CatalogChanges /> },
  };
  return (
    <>
      <Head
        title="Configuration"
        about="The values in force and their sources. Secrets are shown by the beginning of their SHA-256."
      />
      <Tabs of={tabs} open={params.tab} onOpen={(tab) => set({ tab })} />
    </>
  );
}
