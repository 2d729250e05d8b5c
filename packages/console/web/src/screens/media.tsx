import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import type { Mode } from "../play/media.ts";
import { MODES, Order } from "../play/order.tsx";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";

type Model = Answer<"/api/v1/ai/models">[number];

/** Images, videos, speech and embeddings, by forms made of what each model takes. */
export default function Media() {
  const models = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  return (
    <>
      <Head
        title="Media playground"
        about="Generate images, videos, speech and embeddings with forms for each model."
      />
      <Awaited label="models" of={models}>
        {(data) => <Modes of={data} />}
      </Awaited>
    </>
  );
}

function Modes({ of: models }: { of: readonly Model[] }) {
  const [params, set] = useParams();
  const named = models.find(({ modelId }) => modelId === params.model);
  const fitting = (Object.keys(MODES) as Mode[]).find((one) =>
    named?.outputModalities.includes(MODES[one].makes),
  );
  const mode =
    params.mode !== undefined && params.mode in MODES ? (params.mode as Mode) : (fitting ?? "image");
  const tabs = Object.fromEntries(
    Object.entries(MODES).map(([name, { title, makes }]) => {
      const matching = models.filter(({ outputModalities }) => outputModalities.includes(makes));
      const body =
        matching.length === 0 ? (
          <Empty>
            <p>No model generates this.</p>
          </Empty>
        ) : (
          <Order key={name} mode={name as Mode} models={matching.map(({ modelId }) => modelId)} />
        );
      return [name, { title, body }];
    }),
  );
  return <Tabs of={tabs} open={mode} onOpen={(next) => set({ mode: next, model: undefined })} />;
}
