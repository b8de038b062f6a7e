import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { blocksOf } from "../docs/Pages.ts"
import { atEnd, openFolder } from "../support/App.ts"
import type { Role } from "../support/Database.ts"
import { openCluster } from "../support/DebianPostgres.ts"
import { type Cluster, commandsOf, operator, passwords, shell } from "../support/OperatorCommands.ts"
import { until } from "../support/Until.ts"

/** Two servers of Debian's PostgreSQL and HAProxy before them, made by the commands and lines of docs/operator.md. */

const documented = blocksOf("docs/operator.md").filter(({ mark }) =>
  mark === "run by test/faults/failover.long.test.ts"
)

const textsOf = (language: string) => documented.filter((block) => block.language === language).map(({ text }) => text)

const [makeRoles, copy, confirm, check, promote] = textsOf("sh") as [string, string, string, string, string]

const [services] = textsOf("ini") as [string]

const [proxy] = textsOf("haproxy") as [string]

const secrets = { REPLICA_PASSWORD: "it's the replica", CHECK_PASSWORD: "it's the check" }

const replaced = (text: string, changes: ReadonlyArray<readonly [string, string]>) =>
  changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`docs/operator.md has no '${from}'`)
    return before.replaceAll(from, to)
  }, text)

/** Connects the superuser to the service's database. */
const connectTo = async (cluster: Cluster) => {
  const client = new pg.Client({
    connectionString: cluster.administratorUrl.replace("/postgres?", "/vrss?").replace(/\?.*/, ""),
    ssl: { ca: readFileSync(cluster.authority, "utf8") }
  }).on("error", () => {})
  await client.connect()
  return client
}

const openHaproxy = async (clusters: Readonly<Record<"one" | "two", Cluster>>) => {
  const folder = await openFolder()
  const port = await freePort()
  const [service, program] = [join(folder, "pg_service.conf"), join(folder, "vrss-is-primary")]
  // A value of a service file is not quoted.
  const paragraphs = services.split(/(?=\[two\])/)
  const texts = (["one", "two"] as const).map((name, index) =>
    replaced(paragraphs[index]!, [
      [`host=db${index + 1}.example.org`, "host=localhost"],
      ["port=5432", `port=${clusters[name].port}`],
      ["password=the password of vrss_check", `password=${secrets.CHECK_PASSWORD}`],
      ["/etc/haproxy/database.pem", clusters[name].authority]
    ])
  )
  await writeFile(service, texts.join(""), { mode: 0o600 })
  await writeFile(program, replaced(check, [["/etc/haproxy/pg_service.conf", service]]), { mode: 0o755 })
  const configuration = replaced(proxy, [
    ["log /dev/log local0", "log stdout format raw local0"],
    ["bind 127.0.0.1:5432", `bind localhost:${port}`],
    ["/usr/local/bin/vrss-is-primary", program],
    ["db1.example.org:5432", `localhost:${clusters.one.port}`],
    ["db2.example.org:5432", `localhost:${clusters.two.port}`]
  ])
  await writeFile(join(folder, "haproxy.cfg"), configuration)
  const child = spawn("haproxy", ["-f", join(folder, "haproxy.cfg"), "-db"])
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk)
  const exited = once(child, "exit")
  atEnd(async () => {
    child.kill("SIGKILL")
    await exited
  })
  // Until it has asked the standby, it takes two servers for primaries, and refuses each connection.
  await until("HAProxy knows the primary", async () => output.includes("Server database/two is DOWN"))
  return { port, output: () => output }
}

/** Makes a primary with the service's roles, a standby that confirms each commit, and HAProxy before both. */
export const openStandbyPair = async () => {
  const root = await openFolder()
  const open = async (...[name, restore]: [string, Parameters<typeof openCluster>[2]?]) => {
    const cluster = await openCluster(root, name, restore)
    atEnd(cluster.close)
    return cluster
  }
  const withSecrets = (cluster: Cluster) => ({ ...operator(cluster), ...secrets })

  /** Makes the server `name` a standby of another one. */
  const follow = async (primary: Cluster, name: string) => {
    const REPLICA_URL = primary.url("vrss_replica", encodeURIComponent(secrets.REPLICA_PASSWORD), "")
    const environment = { ...withSecrets(primary), REPLICA_URL, STANDBY: name }
    const standby = await open(
      name,
      (data, user) => shell(copy, { ...environment, DATA: data }, { cwd: "/", user })
    )
    const administrator = await connectTo(primary)
    const isStreaming = async (state: string) => {
      const { rows } = await administrator.query(
        "select from pg_stat_replication where application_name = $1 and state = 'streaming' and sync_state = $2",
        [name, state]
      )
      return rows.length === 1
    }
    await until("the standby follows", () => isStreaming("async"))
    await shell(confirm, environment)
    await until("the standby confirms", () => isStreaming("sync"))
    await administrator.end()
    return standby
  }

  const one = await open("one")
  const [serviceRoles] = commandsOf("First deployment")
  await shell(serviceRoles!, operator(one))
  await shell(makeRoles, withSecrets(one))
  const two = await follow(one, "two")
  const haproxy = await openHaproxy({ one, two })
  const logins = {
    owner: ["vrss_owner", passwords.OWNER_PASSWORD],
    runtime: ["vrss_app", passwords.APP_PASSWORD],
    superuser: ["postgres", "administrator"]
  } as const
  const urlAt = (port: number) => (role: Role) => {
    const [login, password] = logins[role]
    return `postgres://${login}:${encodeURIComponent(password)}@localhost:${port}/vrss?sslmode=verify-full`
  }
  const authorities = [one, two].map(({ authority }) => readFileSync(authority, "utf8")).join("\n")
  return {
    root,
    one,
    two,
    haproxy,
    follow,
    connectTo,
    /** Connections that lead through HAProxy. */
    database: { caCertificate: authorities, url: urlAt(haproxy.port) },
    /** Connections that lead past it. */
    straightTo: ({ port }: Cluster) => ({ caCertificate: authorities, url: urlAt(port) }),
    promote: (standby: Cluster) => shell(promote, { ...operator(standby), STANDBY_ADMIN_URL: standby.administratorUrl })
  }
}
