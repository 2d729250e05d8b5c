import * as z from "zod";
import { firstFinding } from "../../check/finding.ts";
import { digest } from "../../content/digest.ts";
import type { MediaJob } from "../../media/media-jobs.ts";
import { begin, publish, readJob } from "../../media/media-store.ts";
import { Refusal } from "../../refusal.ts";
import { sampleNamed } from "../../samples/index.ts";
import { metadata, toRefusal } from "../envelope.ts";
import type { AcceptedRequest, MediaCall, MediaHandler } from "../protocol.ts";
import { verify } from "../request-signature.ts";

const SERVICE = "ark";
const VERSION = "2024-01-01";
const HALF_DAY = 12 * 3600;

const project = { ProjectName: z.string().optional() };
const one = z.strictObject({ Id: z.string().min(1), ...project });
const list = z.strictObject({
  Filter: z.record(z.string(), z.unknown()).optional(),
  PageNumber: z.int().min(1).optional(),
  PageSize: z.int().min(1).max(100).optional(),
  SortBy: z.enum(["CreateTime", "UpdateTime"]).optional(),
  SortOrder: z.enum(["Asc", "Desc"]).optional(),
  ...project,
});

interface Group {
  Id: string;
  Name: string;
  Description: string;
  GroupType: "AIGC" | "LivenessFace";
  ProjectName: string;
  CreateTime: string;
  UpdateTime: string;
}

const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, "");
const groupKey = (id: string): string => `asset-group ${id}`;
const notFound = (kind: string, id: string): Refusal =>
  new Refusal("missing", `The ${kind} ${id} is not found.`, { code: `NotFound.${kind}` });

function addGroup(call: MediaCall, fields: Partial<Group>): Group {
  const Id = `group-${digest(call.hash, String(call.mediaStore.count(`group ${call.hash}`))).slice(0, 16)}`;
  const now = time(call.now);
  const group: Group = {
    Name: "",
    Description: "",
    GroupType: "AIGC",
    ProjectName: "default",
    ...fields,
    Id,
    CreateTime: now,
    UpdateTime: now,
  };
  call.memory.set(groupKey(Id), group);
  return group;
}

function groupOf(call: MediaCall, id: string): Group {
  const group = call.memory.get(groupKey(id)) as Group | undefined;
  if (!group) throw notFound("AssetGroup", id);
  return group;
}

const STATUS: Record<MediaJob["state"], string> = {
  queued: "Processing",
  running: "Processing",
  succeeded: "Active",
  failed: "Failed",
  cancelled: "Failed",
  expired: "Failed",
};

interface Creation {
  GroupId: string;
  URL: string;
  AssetType: "Image" | "Video" | "Audio";
  Name?: string;
  ProjectName?: string;
}

function assetView(call: MediaCall, job: MediaJob): Record<string, unknown> {
  const { GroupId, AssetType, Name = "", ProjectName = "default" } = job.request as Creation;
  const error = job.error && { Code: job.error.code, Message: job.error.message };
  return {
    Id: job.id,
    GroupId,
    AssetType,
    Name,
    ProjectName,
    Status: STATUS[job.state],
    ...(job.state === "succeeded" ? { URL: call.mediaStore.jobs.detail(job).url } : {}),
    ...(error ? { Error: error } : {}),
    CreateTime: time(job.created),
    UpdateTime: time(job.updated),
  };
}

const isAsset = (job: MediaJob): boolean => job.operation === "asset";
const FILES = { Image: "640x480.png", Video: "640x640-3s.mp4", Audio: "3s.wav" };

/** The files in a link may hold directives, for clients that cannot name what they send. */
const directivesIn = ({ Name = "", URL: link }: Creation): string => {
  try {
    return `${Name} ${decodeURIComponent(link)}`;
  } catch {
    return `${Name} ${link}`;
  }
};

function createAsset(call: MediaCall, creation: Creation): AcceptedRequest {
  groupOf(call, creation.GroupId);
  return {
    text: directivesIn(creation),
    answer: (outcome) => {
      const job = begin(call, {
        outcome,
        errors: {
          moderation: "InputImageSensitiveContentDetected.PolicyViolation",
          internal: "InternalError",
        },
        id: (hash) => `asset-${hash.slice(0, 20)}`,
        make: (begun) => {
          const file = sampleNamed(FILES[creation.AssetType])!;
          const output = { type: file.type, downloads: 0 };
          const url = publish(call, { job: begun, output, bytes: () => file.bytes, lifetime: HALF_DAY });
          return { outputs: [output], billed: {}, detail: { url } };
        },
      });
      job.request = creation;
      return { body: { Id: job.id } };
    },
  };
}

const answerWith = (answer: () => unknown): AcceptedRequest => ({
  text: "",
  answer: () => ({ body: answer() }),
});

function getAsset(call: MediaCall, { Id }: { Id: string }): AcceptedRequest {
  return answerWith(() => {
    const job = readJob(call, Id, isAsset);
    if (!job) throw notFound("Asset", Id);
    return assetView(call, job);
  });
}

function assetOf(call: MediaCall, id: string): MediaJob {
  const job = call.mediaStore.jobs.find(id);
  if (!job || !isAsset(job)) throw notFound("Asset", id);
  return job;
}

function paged<Item>(items: Item[], { PageNumber = 1, PageSize = 10 }: z.infer<typeof list>) {
  const shown = items.slice((PageNumber - 1) * PageSize, PageNumber * PageSize);
  return { Items: shown, TotalCount: items.length, PageNumber, PageSize };
}

const groups = (call: MediaCall): Group[] =>
  [...call.memory].flatMap(([key, value]) => (key.startsWith("asset-group ") ? [value as Group] : []));

interface Action<Body> {
  schema: z.ZodType<Body>;
  run(call: MediaCall, body: Body): AcceptedRequest;
}
const action = <Body>(schema: z.ZodType<Body>, run: Action<Body>["run"]): Action<unknown> =>
  ({ schema, run }) as unknown as Action<unknown>;

const nameFields = { Name: z.string().min(1).max(64), Description: z.string().max(300).optional() };

const ACTIONS: Record<string, Action<unknown>> = {
  CreateAssetGroup: action(
    z.strictObject({ ...nameFields, GroupType: z.enum(["AIGC", "LivenessFace"]).optional(), ...project }),
    (call, body) => answerWith(() => ({ Id: addGroup(call, body).Id })),
  ),
  GetAssetGroup: action(one, (call, { Id }) => answerWith(() => groupOf(call, Id))),
  ListAssetGroups: action(list, (call, body) => answerWith(() => paged(groups(call), body))),
  UpdateAssetGroup: action(
    z.strictObject({
      Id: z.string(),
      Name: nameFields.Name.optional(),
      Description: nameFields.Description,
      ...project,
    }),
    (call, { Id, ...given }) =>
      answerWith(() => ({ Id: Object.assign(groupOf(call, Id), given, { UpdateTime: time(call.now) }).Id })),
  ),
  DeleteAssetGroup: action(one, (call, { Id }) =>
    answerWith(() => {
      groupOf(call, Id);
      call.memory.delete(groupKey(Id));
      return {};
    }),
  ),
  CreateAsset: action(
    z.strictObject({
      GroupId: z.string().min(1),
      URL: z.string().regex(/^https?:\/\/\S+$/),
      AssetType: z.enum(["Image", "Video", "Audio"]),
      Name: z.string().max(64).optional(),
      Moderation: z.strictObject({ Strategy: z.enum(["Default", "Skip"]) }).optional(),
      ...project,
    }),
    (call, body) => createAsset(call, body),
  ),
  GetAsset: action(one, getAsset),
  ListAssets: action(list, (call, body) =>
    answerWith(() => {
      const assets = call.mediaStore.jobs.all
        .filter(isAsset)
        .filter(({ id }) => call.mediaStore.jobs.find(id));
      return paged(
        assets.map((job) => assetView(call, call.mediaStore.jobs.read(job, call.now))),
        body,
      );
    }),
  ),
  UpdateAsset: action(
    z.strictObject({ Id: z.string(), Name: z.string().max(64), ...project }),
    (call, { Id, Name }) =>
      answerWith(() => {
        const job = assetOf(call, Id);
        job.request = { ...(job.request as Creation), Name };
        return { Id };
      }),
  ),
  DeleteAsset: action(one, (call, { Id }) =>
    answerWith(() => {
      call.mediaStore.jobs.hide(assetOf(call, Id));
      return {};
    }),
  ),
  CreateVisualValidateSession: action(
    z.strictObject({ CallbackURL: z.string().regex(/^https?:\/\/\S+$/), ...project }),
    (call) =>
      answerWith(() => {
        const BytedToken = digest(call.hash, "session").slice(0, 32);
        call.memory.set(
          `validation ${BytedToken}`,
          addGroup(call, { Name: "person", GroupType: "LivenessFace" }).Id,
        );
        return { BytedToken, H5Link: `${call.origin}/samples/640x480.png` };
      }),
  ),
  GetVisualValidateResult: action(
    z.strictObject({ BytedToken: z.string().min(1), ...project }),
    (call, { BytedToken }) =>
      answerWith(() => {
        const GroupId = call.memory.get(`validation ${BytedToken}`);
        if (!GroupId) throw notFound("Session", BytedToken);
        return { GroupId };
      }),
  ),
};

/** Any action of the asset library: signed, and answered in its envelope. */
export const assetLibrary: MediaHandler = (call) => {
  const name = call.url.searchParams.get("Action") ?? "";
  const version = call.url.searchParams.get("Version");
  verify(call, SERVICE);
  const found = ACTIONS[name];
  if (!found || version !== VERSION)
    throw new Refusal("missing", `Could not find operation ${name} for version ${version}.`, {
      code: "InvalidActionOrVersion",
    });
  const parsed = found.schema.safeParse(call.body ?? {});
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, call.body));
  const request = found.run(call, parsed.data);
  return {
    text: request.text,
    answer(outcome, usage) {
      const answer = request.answer(outcome, usage);
      const Result = "body" in answer ? answer.body : {};
      return { body: { ResponseMetadata: metadata(call.hash, name, VERSION, SERVICE), Result } };
    },
  };
};
