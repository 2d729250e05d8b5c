import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import type { Mode } from "../play/media.ts";
import { MODES, Order } from "../play/order.tsx";
import { useParams } from "../state/url.ts";
import { Empty, Failed, Head, Loading } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";

/** Images, videos, speech and embeddings, by forms made of what each model takes. */
export default function Media() {
  const [params, set] = useParams();
  const models = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  if (models.isPending) return <Loading what="models" />;
  if (models.isError) return <Failed error={models.error} retry={() => void models.refetch()} />;
  const named = models.data.find(({ modelId }) => modelId === params.model);
  const fitting = (Object.keys(MODES) as Mode[]).find((one) =>
    named?.outputModalities.includes(MODES[one].makes),
  );
  const mode =
    params.mode !== undefined && params.mode in MODES ? (params.mode as Mode) : (fitting ?? "image");
  const tabs = Object.fromEntries(
    Object.entries(MODES).map(([name, { title, makes }]) => {
      const own = models.data.filter(({ outputModalities }) => outputModalities.includes(makes));
      const body =
        own.length === 0 ? (
          <Empty>
            <p>No model here makes this.</p>
          </Empty>
        ) : (
          <Order key={name} mode={name as Mode} models={own.map(({ modelId }) => modelId)} />
        );
      return [name, { title, body }];
    }),
  );
  return (
    <>
      <Head title="Media playground" about="What each model takes, what it would cost, what it makes." />
      <Tabs of={tabs} open={mode} onOpen={(next) => set({ mode: next, model: undefined })} />
    </>
  );
}
