import { type AssetType, assetLimits, type Bounds } from "@manifold-gateway/media/limits";
import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { compact, count, size } from "../format.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Clip } from "../ui/clip.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Form, typedInto } from "../ui/form.tsx";
import { Copy, Empty, Head, ShortId, Status } from "../ui/parts.tsx";
import { Select } from "../ui/select.tsx";
import { Table } from "../ui/table.tsx";

type Asset = Answer<"/api/v1/kyc/user/assets/{assetId}">;

const TYPES = Object.keys(assetLimits) as AssetType[];
const POLL_MS = 2_000;

/** What is checked, by the code that an asset fails with. */
const CHECKS = [
  ["file_too_large", "size", "file size", size],
  ["aspect_ratio_out_of_range", "ratio", "width / height", String],
  ["edge_out_of_range", "edge", "each edge in pixels", count],
  ["pixels_out_of_range", "pixels", "pixels", compact],
  ["duration_out_of_range", "seconds", "seconds", String],
  ["fps_out_of_range", "fps", "frames a second", String],
] as const;

function boundsOf({ min, max, exclusive = false }: Bounds, show: (value: number) => string): string {
  const least = min === undefined ? "" : `${exclusive ? "over" : "at least"} ${show(min)}`;
  const most = max === undefined ? "" : `${exclusive ? "under" : "at most"} ${show(max)}`;
  return [least, most].filter((text) => text !== "").join(", ");
}

/** What a file of a type has to keep, line by line. */
function limitsOf(type: AssetType): { code: string; text: string }[] {
  const { mediaTypes, ...limits } = assetLimits[type];
  return [
    {
      code: "unsupported_format",
      text: `format: ${mediaTypes.map((name) => name.split("/")[1]).join(", ")}`,
    },
    ...CHECKS.flatMap(([code, name, title, show]) => {
      const bounds = limits[name];
      return bounds ? [{ code, text: `${title}: ${boundsOf(bounds, show)}` }] : [];
    }),
  ];
}

/** The checks of one asset: the one that it failed says what was measured. */
function Checklist({ of: { assetType, status, errorCode, errorMessage } }: { of: Asset }) {
  const checks = limitsOf(assetType);
  const isKnown = checks.some(({ code }) => code === errorCode);
  return (
    <ul class="checks">
      {checks.map(({ code, text }) => (
        <li key={code} class={code === errorCode ? "bad" : "faint"}>
          {status === "active" ? "✓ kept: " : code === errorCode ? "✗ not kept: " : "· "}
          {text}
          {code === errorCode && ` (${errorMessage})`}
        </li>
      ))}
      {status === "failed" && !isKnown && (
        <li class="bad">
          ✗ {errorCode}: {errorMessage}
        </li>
      )}
    </ul>
  );
}

/** In one line what came of the checks; each of them is a click away. */
const Checks = ({ of: asset }: { of: Asset }) => (
  <details>
    <summary>
      {asset.status === "failed" ? (
        <span class="bad">
          <Clip isLong>{asset.errorMessage ?? asset.errorCode ?? "failed"}</Clip>
        </span>
      ) : asset.status === "active" ? (
        "all kept"
      ) : (
        "under way"
      )}
    </summary>
    <Checklist of={asset} />
  </details>
);

/** Files that were checked for the people in them, and that requests can name. */
export default function Assets() {
  const isMaking = useSignal(false);
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ["assets"],
    queryFn: ({ signal }) => call("get", "/api/v1/kyc/user/assets", { query: { limit: 100 }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ status }) => status === "processing") ? POLL_MS : false,
  });
  const close = (): void => {
    isMaking.value = false;
    void queries.invalidateQueries({ queryKey: ["assets"] });
  };
  const rows = list.data?.results ?? [];
  return (
    <>
      <Head title="Assets" about="People, voices and scenes that requests can name, once they are checked.">
        <button
          type="button"
          class="main"
          onClick={() => {
            isMaking.value = true;
          }}
        >
          Add an asset
        </button>
      </Head>
      <Awaited label="assets" rows={6} of={list} />
      {list.data && rows.length === 0 && (
        <Empty title="No assets yet" icon="assets">
          <p>An asset is fetched from a URL and checked, free of charge; requests can then name it.</p>
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          caption="Assets"
          rows={rows}
          keyOf={({ assetId }) => assetId}
          columns={[
            { title: "Name", cell: ({ name }) => <Clip>{name ?? "–"}</Clip> },
            { title: "Type", card: "bare", cell: ({ assetType }) => assetType },
            { title: "State", card: "side", cell: ({ status }) => <Status of={status} /> },
            { title: "Checks", card: "line", cell: (asset) => <Checks of={asset} /> },
            { title: "Added", drops: 1, time: ({ createdAt }) => createdAt },
            {
              title: "Id",
              drops: 2,
              cell: ({ assetId }) => (
                <>
                  <ShortId of={assetId} /> <Copy text={assetId} />
                </>
              ),
            },
          ]}
        />
      )}
      {isMaking.value && <NewAsset onClose={close} />}
    </>
  );
}

function NewAsset({ onClose }: { onClose: () => void }) {
  const url = useSignal("");
  const name = useSignal("");
  const type = useSignal<AssetType>("Image");
  const create = async (): Promise<void> => {
    const body = { url: url.value, assetType: type.value, ...(name.value !== "" && { name: name.value }) };
    await call("post", "/api/v1/kyc/user/assets", { body });
    onClose();
  };
  return (
    <Dialog title="Add an asset" onClose={onClose}>
      <Form act="Fetch and check" onSubmit={create} onCancel={onClose}>
        <Field
          name="url"
          label="Address of the file"
          hint="An HTTPS URL, fetched once."
          required
          autoFocus
          {...typedInto(url)}
        />
        <Select
          label="Type"
          value={type.value}
          options={TYPES.map((value) => ({ value, text: value }))}
          onChange={(value) => {
            type.value = value as AssetType;
          }}
        />
        <p class="hint">Limits:</p>
        <ul class="checks">
          {limitsOf(type.value).map(({ code, text }) => (
            <li key={code}>{text}</li>
          ))}
        </ul>
        <Field name="name" maxlength={64} label="Name" {...typedInto(name)} />
      </Form>
    </Dialog>
  );
}
