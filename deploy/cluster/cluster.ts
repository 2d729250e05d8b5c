import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { fill, type Member, PASSWORDS, type Plan, planCluster, wordsOf } from "./plan.ts";
import { isRunning, pidOf, type Started, start, startedIn, stop, type User, until } from "./processes.ts";
import { programOf } from "./programs.ts";

const here = import.meta.dirname;

/** The user of the database's programs where this one is root: they refuse to be. */
export function userNamed(name: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [line] = readFileSync("/etc/passwd", "utf8").match(new RegExp(`^${name}:.*$`, "m")) ?? [];
  if (line === undefined) throw new Error(`there is no user ${name}`);
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Makes the folders and files of the programs. */
function writeFiles(plan: Plan, user: User | undefined): void {
  const { folder, members } = plan;
  const own = (path: string): string => {
    if (user) chownSync(path, user.uid, user.gid);
    return path;
  };
  for (const name of [".", "data", "run", "log", "objects", "calls"]) {
    mkdirSync(join(folder, name), { recursive: true });
    if (name === "data" || name === "run") own(join(folder, name));
  }
  // The other user has to pass through it.
  chmodSync(folder, 0o711);
  const write = (source: string, name: string, words: Record<string, string>): void => {
    const file = join(folder, "run", name);
    writeFileSync(file, fill(readFileSync(join(here, source), "utf8"), words), { mode: 0o600 });
    own(file);
  };
  const words = wordsOf(plan);
  for (const member of members) {
    // A member's data may be on a file system of its own, which is mounted here beforehand.
    mkdirSync(join(folder, "data", member.name), { recursive: true });
    chmodSync(own(join(folder, "data", member.name)), 0o700);
    write("patroni.yml", `${member.name}.yml`, {
      ...wordsOf(plan, member),
      BIN: dirname(programOf("pg_rewind")),
    });
  }
  write("haproxy.cfg", "haproxy.cfg", words);
  write("pgbouncer.ini", "pgbouncer.ini", words);
  const users = join(folder, "run/pgbouncer.users");
  writeFileSync(users, `"manifold" "${PASSWORDS.manifold}"\n`, { mode: 0o600 });
  own(users);
}

/** The programs of the database, in the order in which they start. */
function databasePrograms(plan: Plan, user: User | undefined): Started[] {
  const { folder, members } = plan;
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  const peers = members.map(({ name, own }) => `${name}=${at(own.peers)}`).join(",");
  const as = user && { user };
  return [
    ...members.map(({ name, own }) => ({
      name: `etcd-${name}`,
      command: programOf("etcd"),
      args: [
        ...["--name", name, "--data-dir", join(folder, "data", `etcd-${name}`), "--logger", "zap"],
        "--enable-v2=true",
        ...["--listen-client-urls", at(own.etcd), "--advertise-client-urls", at(own.etcd)],
        ...["--listen-peer-urls", at(own.peers), "--initial-advertise-peer-urls", at(own.peers)],
        ...["--initial-cluster", peers],
      ],
      ...as,
    })),
    {
      name: "relays",
      command: process.execPath,
      args: [join(here, "relays.ts"), "--folder", folder, "--port", String(plan.port)],
    },
    ...members.map((member) => patroniOf(plan, member, user)),
    { name: "haproxy", command: programOf("haproxy"), args: ["-f", join(folder, "run/haproxy.cfg")], ...as },
  ];
}

const patroniOf = ({ folder }: Plan, { name }: Member, user: User | undefined): Started => ({
  name: `patroni-${name}`,
  command: programOf("patroni"),
  args: [join(folder, "run", `${name}.yml`)],
  ...(user && { user }),
});

/** The member that is the primary by its own word, if one is. */
export async function primaryOf({ members }: Plan): Promise<Member | undefined> {
  const answers = await Promise.all(
    members.map(async (member) => {
      const url = `http://127.0.0.1:${member.own.rest}/primary`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(500) }).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.status === 200 ? [member] : [];
    }),
  );
  return answers.flat()[0];
}

/** Asks the member's own server, as the superuser. */
export async function ask(
  { own }: Member,
  sql: string,
  database = "postgres",
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${PASSWORDS.postgres}@127.0.0.1:${own.postgres}/${database}`,
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
  });
  client.on("error", () => {});
  await client.connect();
  return (await client.query<Record<string, unknown>>(sql).finally(() => client.end())).rows;
}

/** A primary with a replica whose word it waits for. */
export async function isReplicated(plan: Plan): Promise<boolean> {
  const primary = await primaryOf(plan);
  if (!primary) return false;
  const sql = "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')";
  return (await ask(primary, sql).catch(() => [])).length > 0;
}

/** Every etcd knows the version of all of them. */
async function isAgreed({ members }: Plan): Promise<boolean> {
  const answers = members.map(async ({ own }) => {
    const answer = await fetch(`http://127.0.0.1:${own.etcd}/version`).catch(() => undefined);
    const { etcdcluster = "" } = ((await answer?.json()) ?? {}) as { etcdcluster?: string };
    return /^\d/.test(etcdcluster);
  });
  return (await Promise.all(answers)).every(Boolean);
}

/** Brings the database up: resolves once a primary takes writes, for which a replica vouches. */
export async function startDatabase(plan: Plan, user: User | undefined): Promise<void> {
  const { folder, pooler } = plan;
  writeFiles(plan, user);
  for (const one of databasePrograms(plan, user)) {
    // Patroni ends where etcd has not agreed on its version yet.
    if (one.name === "relays") await until("etcd", () => isAgreed(plan));
    if (!isRunning(folder, pidOf(folder, one.name))) start(folder, one);
  }
  await until("a primary with a replica", () => isReplicated(plan), 120_000);
  const primary = (await primaryOf(plan))!;
  const [known] = await ask(primary, "SELECT 1 FROM pg_database WHERE datname = 'manifold'");
  if (!known) {
    await ask(primary, `CREATE ROLE manifold LOGIN PASSWORD '${PASSWORDS.manifold}'`);
    await ask(primary, "CREATE DATABASE manifold OWNER manifold");
  }
  if (pooler && !isRunning(folder, pidOf(folder, "pgbouncer")))
    start(folder, {
      name: "pgbouncer",
      command: programOf("pgbouncer"),
      args: [join(folder, "run/pgbouncer.ini")],
      ...(user && { user }),
    });
}

/** Starts a member's Patroni again after it was killed. */
export const startMember = (plan: Plan, member: Member, user: User | undefined): void =>
  start(plan.folder, patroniOf(plan, member, user));

/** Ends everything that was started in the folder; Patroni ends its Postgres. */
export async function stopCluster(folder: string): Promise<void> {
  const names = startedIn(folder);
  const inTurn = ["gateway", "simulator", "pgbouncer", "haproxy", "patroni", "relays", "etcd"];
  for (const turn of inTurn)
    await Promise.all(names.filter((name) => name.startsWith(turn)).map((name) => stop(folder, name)));
}

/** Cuts a member off: both ways, or the bytes in one; `none` mends it. */
export async function cut(plan: Plan, member: string, way: "both" | "to" | "from" | "none"): Promise<void> {
  await fetch(`http://127.0.0.1:${plan.ports.control}/${member}/${way}`, { method: "PUT" });
}

export const planIn = (folder: string, port: number, pooler: boolean): Plan =>
  planCluster({ folder: resolve(folder), port, pooler });
