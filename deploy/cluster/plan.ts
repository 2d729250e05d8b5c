/** What a cluster on one machine is made of: ports, addresses and files, all derived from a folder and a port. */
export interface ClusterOptions {
  /** The folder of everything: data, logs, files of the programs. */
  folder: string;
  /** The first of a hundred ports on loopback. */
  port: number;
  /** Puts PgBouncer between the gateways and the balancer of the database. */
  pooler: boolean;
}

/** One machine of the cluster: a Postgres with its Patroni, and an etcd. */
export interface Member {
  name: string;
  /** The ports that it listens on. */
  own: { postgres: number; rest: number; etcd: number; peers: number };
  /** The ports by which the others reach it. */
  reached: { postgres: number; rest: number };
  /** The ports by which it reaches the three etcd. */
  reaches: number[];
}

/** A way between a member and the others, which can be cut. */
export interface Relay {
  member: string;
  /** Whether connections lead to the member, or from it. */
  leads: "to" | "from";
  listen: number;
  to: number;
}

export interface Plan extends ClusterOptions {
  members: Member[];
  relays: Relay[];
  gateways: { name: string; port: number }[];
  ports: Record<"service" | "primary" | "replicas" | "pooler" | "control" | "provider", number>;
  /** The addresses of the database for gateways: writes, and reports from a replica. */
  database: string;
  reader: string;
}

/** The passwords of a trial cluster, which listens on loopback only. */
export const PASSWORDS = { manifold: "manifold", postgres: "postgres", standby: "standby" } as const;

const COUNT = 3;
const numbers = Array.from({ length: COUNT }, (_, at) => at + 1);

export function planCluster(options: ClusterOptions): Plan {
  const { port, pooler } = options;
  const ports = {
    ...{ service: port, primary: port + 1, replicas: port + 2, pooler: port + 3 },
    ...{ control: port + 4, provider: port + 5 },
  };
  const members = numbers.map((number): Member => {
    const first = port + 10 * number;
    return {
      name: `member-${number}`,
      own: { postgres: first, rest: first + 1, etcd: first + 2, peers: first + 3 },
      reached: { postgres: first + 4, rest: first + 5 },
      reaches: numbers.map((other) => first + 5 + other),
    };
  });
  const relays = members.flatMap(({ name: member, own, reached, reaches }): Relay[] => [
    { member, leads: "to", listen: reached.postgres, to: own.postgres },
    { member, leads: "to", listen: reached.rest, to: own.rest },
    ...reaches.map((listen, at) => ({ member, leads: "from" as const, listen, to: members[at]!.own.etcd })),
  ]);
  const address = (at: number): string =>
    `postgres://manifold:${PASSWORDS.manifold}@127.0.0.1:${at}/manifold`;
  return {
    ...options,
    members,
    relays,
    gateways: numbers.map((number) => ({ name: `gateway-${number}`, port: port + 50 + number })),
    ports,
    database: address(pooler ? ports.pooler : ports.primary),
    reader: address(ports.replicas),
  };
}

/** The words that the files of the programs name, as `${NAME}`. */
export function wordsOf(plan: Plan, member?: Member): Record<string, string> {
  const { ports, members, gateways, folder } = plan;
  const loopback = (at: number): string => `127.0.0.1:${at}`;
  return {
    FOLDER: folder,
    ...Object.fromEntries(Object.entries(ports).map(([name, at]) => [name.toUpperCase(), loopback(at)])),
    PRIMARY_PORT: String(ports.primary),
    POOLER_PORT: String(ports.pooler),
    DATABASE: plan.database,
    READER: plan.reader,
    MANIFOLD_PASSWORD: PASSWORDS.manifold,
    POSTGRES_PASSWORD: PASSWORDS.postgres,
    STANDBY_PASSWORD: PASSWORDS.standby,
    POSTGRES_SERVERS: members
      .map(
        ({ name, reached }) =>
          `    server ${name} ${loopback(reached.postgres)} check port ${reached.rest} addr 127.0.0.1`,
      )
      .join("\n"),
    GATEWAY_SERVERS: gateways
      .map(({ name, port: at }) => `    server ${name} ${loopback(at)} check`)
      .join("\n"),
    ...(member && {
      NAME: member.name,
      REST: loopback(member.own.rest),
      REST_REACHED: loopback(member.reached.rest),
      LISTEN: loopback(member.own.postgres),
      LISTEN_REACHED: loopback(member.reached.postgres),
      ETCD: member.reaches.map(loopback).join(","),
    }),
  };
}

/** Fills the words into a file; one that it does not know is an error of the file. */
export const fill = (text: string, words: Record<string, string>): string =>
  text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const word = words[name];
    if (word === undefined) throw new Error(`there is no word for \${${name}}`);
    return word;
  });
