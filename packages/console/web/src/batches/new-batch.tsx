import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { counted, size } from "../format.ts";
import { Described } from "../ui/form.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { accountKeys } from "../ui/key-calls.ts";
import { Select } from "../ui/select.tsx";
import { begin } from "./begin.ts";
import { type CheckedFile, checkFile, tooLongInWords } from "./check-file.ts";

const WINDOWS = [
  ["1h", "1 hour"],
  ["24h", "24 hours"],
  ["72h", "3 days"],
  ["168h", "7 days"],
].map(([value = "", text = ""]) => ({ value, text }));

interface NewBatchProps {
  onBegun: (id: string) => void;
  onClose: () => void;
}

/** A file of requests, which is looked at before it is sent, and the key that runs them. */
export function NewBatch({ onBegun, onClose }: NewBatchProps) {
  const file = useSignal<File | undefined>(undefined);
  const checked = useSignal<CheckedFile | undefined>(undefined);
  const key = useSignal<string | undefined>(undefined);
  const window = useSignal("24h");
  const isSending = useSignal(false);
  const keys = useQuery({ queryKey: ["keys", "list"], queryFn: ({ signal }) => accountKeys.list(signal) });
  const active = (keys.data?.results ?? []).filter(({ isActive }) => isActive);
  const chosenKey = key.value ?? active[0]?.id;
  const take = async (one: File | undefined): Promise<void> => {
    file.value = one;
    checked.value = undefined;
    if (!one) return;
    const result = await checkFile(one);
    if (file.value === one) checked.value = result;
  };
  const submit = async (): Promise<void> => {
    if (!file.value) throw new Error("Choose a file first.");
    if (chosenKey === undefined) throw new Error("The account has no active key: create one first.");
    const { endpoint, tooLong } = checked.value ?? (await checkFile(file.value));
    if (tooLong !== undefined) throw new Error(`file: ${tooLongInWords(tooLong)}`);
    if (endpoint === undefined)
      throw new Error("No line of the file names the path of its request, as `url`.");
    isSending.value = true;
    const terms = { file: file.value, endpoint, apiKeyId: chosenKey, window: window.value };
    const id = await begin(terms).finally(() => {
      isSending.value = false;
    });
    onBegun(id);
  };
  return (
    <FormDialog title="Begin a batch" act="Begin" onSubmit={submit} onClose={onClose}>
      <p class="hint">
        One request a line, as JSON: <code>custom_id</code>, <code>url</code> and <code>body</code>. Each
        costs what the same request costs alone, or half of it where its provider runs batches itself.
      </p>
      <Described name="file" hint="Up to 50,000 lines and 256 MiB.">
        {({ name, describedBy }) => (
          <label class="stack">
            File of lines
            <input
              type="file"
              name={name}
              accept=".jsonl,.ndjson,.txt,application/jsonl,application/json"
              aria-describedby={describedBy}
              onChange={(event) => void take(event.currentTarget.files?.[0])}
            />
          </label>
        )}
      </Described>
      {file.value && <Checked of={checked.value} bytes={file.value.size} />}
      <Described name="apiKeyId" hint="Its caps and limits hold for every line.">
        {({ name, describedBy }) => (
          <Select
            label="Key"
            {...{ name, describedBy }}
            value={chosenKey}
            placeholder={keys.isPending ? "Loading …" : "No active key"}
            options={active.map(({ id, name: text }) => ({ value: id, text }))}
            onChange={(id) => {
              key.value = id;
            }}
          />
        )}
      </Described>
      <Described name="completion_window" hint="After it, no further line is begun.">
        {({ name, describedBy }) => (
          <Select
            label="Time"
            {...{ name, describedBy }}
            value={window.value}
            options={WINDOWS}
            onChange={(value) => {
              window.value = value;
            }}
          />
        )}
      </Described>
      <p role="status" class="faint">
        {isSending.value && "The file is being sent …"}
      </p>
    </FormDialog>
  );
}

/** What a file has, and which of its lines would not be run. */
function Checked({ of: checked, bytes }: { of: CheckedFile | undefined; bytes: number }) {
  if (!checked) return <p role="status">The file is being read …</p>;
  const { lines, endpoint, faults, faulty, tooLong } = checked;
  if (tooLong !== undefined)
    return (
      <p class="wrong" role="status">
        {tooLongInWords(tooLong)}
      </p>
    );
  return (
    <div role="status">
      <p>
        {counted(lines, "line")}, {size(bytes)}
        {endpoint !== undefined && (
          <>
            , to <code>{endpoint}</code>
          </>
        )}
        .
      </p>
      {faulty > 0 && (
        <>
          <p class="warn">{counted(faulty, "line")} will end with an error; the others are run.</p>
          <ul class="checks">
            {faults.map(({ line, text }) => (
              <li key={line} class="wrap">
                Line {line}: {text}
              </li>
            ))}
            {faulty > faults.length && <li class="faint">and {faulty - faults.length} more</li>}
          </ul>
        </>
      )}
    </div>
  );
}
