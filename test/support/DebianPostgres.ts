import { execFile, execFileSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { generate } from "selfsigned"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { isAlive } from "../../src/postgres/FolderLock.ts"
import { until } from "./Until.ts"

const run = promisify(execFile)

const versions = "/usr/lib/postgresql"

// The embedded server has no pg_dump, and Debian's pg_dump refuses a newer server. So dumps are made from Debian's
// server, which has the same version as its pg_dump.
const bin = existsSync(versions)
  ? readdirSync(versions).map((version) => join(versions, version, "bin")).find((bin) =>
    existsSync(join(bin, "initdb"))
  )
  : undefined

export const noServer = bin === undefined

export const needsServer = noServer ? " (skipped: Debian's package postgresql is not installed)" : ""

/**
 * Starts an empty cluster of Debian's PostgreSQL with TLS. With `restore`, its files come from elsewhere: it
 * puts them into the cluster's folder. It gets the ids of the user that runs PostgreSQL.
 */
export const openCluster = async (
  root: string,
  name: string,
  restore?: (data: string, user: { readonly uid?: number; readonly gid?: number }) => Promise<unknown>
) => {
  const directory = join(root, name)
  const data = join(directory, "data")
  const user = process.getuid?.() === 0
    ? {
      uid: Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" })),
      gid: Number(execFileSync("id", ["-g", "postgres"], { encoding: "utf8" }))
    }
    : {}
  await Fs.mkdir(directory, { mode: 0o755 })
  await Fs.chmod(root, 0o755)
  const own = (path: string) => "uid" in user ? Fs.chown(path, user.uid!, user.gid!) : Promise.resolve()
  await own(directory)
  // A standby looks for a client's certificate in HOME, which the user that runs PostgreSQL must be able to read.
  const env = { ...process.env, HOME: directory }
  const program = (of: string, ...args: ReadonlyArray<string>) =>
    run(join(bin!, of), args, { cwd: directory, env, ...user })

  const password = join(directory, "password")
  await Fs.writeFile(password, "administrator")
  await own(password)
  if (restore === undefined) {
    await program("initdb", "-D", data, "-U", "postgres", "--pwfile", password, "--auth", "scram-sha-256", "--no-sync")
  } else {
    await Fs.mkdir(data, { mode: 0o700 })
    await own(data)
    await restore(data, user)
  }
  // A client that trusts several servers tells their certificates apart by this name.
  const { cert, private: key } = await generate([{ name: "commonName", value: `PostgreSQL ${name}` }], {
    keyType: "ec",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }
    ]
  })
  const [certificate, keyFile] = [join(data, "server.crt"), join(data, "server.key")]
  for (const [file, text] of [[certificate, cert], [keyFile, key]] as const) {
    await Fs.writeFile(file, text, { mode: 0o600 })
    await own(file)
  }
  const port = await freePort()
  const options = `-p ${port} -c listen_addresses=localhost -c unix_socket_directories= -c ssl=on -c fsync=on`
  const start = () => program("pg_ctl", "-D", data, "start", "-w", "-l", join(directory, "log"), "-o", options)
  await start()
  const postmaster = async () => Number((await Fs.readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0])
  const authority = join(root, `${name}.pem`)
  await Fs.writeFile(authority, cert)
  return {
    /** The path of a PEM file. */
    authority,
    url: (role: string, password: string, database: string) =>
      `postgres://${role}:${password}@localhost:${port}/${database}?sslmode=verify-full`,
    administratorUrl: `postgres://postgres:administrator@localhost:${port}/postgres?sslmode=verify-full`,
    port,
    user,
    start,
    /** Ends all processes of the server at once, as when its machine is lost. */
    kill: async () => {
      const pid = await postmaster()
      const children = (await Fs.readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ")
      const all = [pid, ...children.map(Number)]
      for (const pid of all) {
        try {
          process.kill(pid, "SIGKILL")
        } catch {
          // A child may have ended meanwhile.
        }
      }
      await until("PostgreSQL has ended", async () => !all.some(isAlive))
    },
    restart: () =>
      program("pg_ctl", "-D", data, "restart", "-w", "-m", "fast", "-l", join(directory, "log"), "-o", options),
    close: async () => {
      const pid = await postmaster().catch(() => undefined)
      if (pid === undefined || !isAlive(pid)) return
      await program("pg_ctl", "-D", data, "stop", "-w", "-m", "immediate")
    }
  }
}
