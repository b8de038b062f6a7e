import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { portal as site } from "../../src/pages/Sites.ts"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { openDatabase, openFolder } from "../support/App.ts"
import { root } from "../support/Imports.ts"
import { startService } from "../support/Service.ts"
import { until } from "../support/Until.ts"
import { ask } from "./Ask.ts"

const database = await openDatabase()

/** Makes a separate checkout with the packages that `wanted` accepts, and without built pages. */
const checkout = async (wanted: (name: string) => boolean) => {
  const folder = await openFolder()
  for (const name of ["src", "web", "migrations", "package.json", "package-lock.json", "tsconfig.json"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  mkdirSync(join(folder, "node_modules"))
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name.startsWith("@")) {
      mkdirSync(join(folder, "node_modules", name))
      for (const inner of readdirSync(join(root, "node_modules", name))) link(folder, `${name}/${inner}`, wanted)
    } else link(folder, name, wanted)
  }
  return folder
}

const link = (folder: string, name: string, wanted: (name: string) => boolean) => {
  if (wanted(name)) symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name))
}

/** Starts the checkout as `npm start` does, on an existing database. */
const start = async (folder: string, changes: Record<string, string> = {}) => {
  const portalPort = await freePort()
  const service = await startService(
    database,
    { APP_ENV: "development", LOG_FORMAT: "text", PORTAL_PORT: `${portalPort}`, VETERAN_APP_PORT: "0", ...changes },
    join(folder, "src/main.ts")
  )
  return { service, portal: `http://localhost:${portalPort}` }
}

const linesAbout = (output: string, words: RegExp) => output.split("\n").filter((line) => words.test(line))

describe("npm start in development", () => {
  test("The service runs without the development dependencies, and one line says what the pages need", async () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const { portal, service } = await start(await checkout((name) => !Object.hasOwn(devDependencies, name)))
    const lines = () => linesAbout(service.output(), /pages are not built/)
    await until("the line is there", async () => lines().length > 0)
    assert.lengthOf(lines(), 1)
    assert.match(lines()[0]!, /Vite is a development dependency, which npm ci installs without --omit=dev$/)
    assert.strictEqual((await fetch(`${service.url}/health`)).status, 200)
    const { body, status } = await ask(portal, "/link")
    assert.deepStrictEqual([status, body.toString()], [503, "The pages are not built: npm run build\n"])
    assert.strictEqual(await service.stop(), 0)
  })

  test("The service keeps running if the pages cannot be built, and one line says what to do", async () => {
    const folder = await checkout(() => true)
    writeFileSync(join(folder, "web/portal/Portal.tsx"), "const = 1")
    const { service } = await start(folder)
    const lines = () => linesAbout(service.output(), /could not be built/)
    await until("the line is there", async () => lines().length > 0, 120_000)
    assert.lengthOf(lines(), 1)
    assert.match(lines()[0]!, /the portal's pages could not be built: npm run build says why$/)
    assert.strictEqual((await fetch(`${service.url}/health`)).status, 200)
    assert.strictEqual(await service.stop(), 0)
  })

  test("The API is served while the portal and then the app are built, whose files equal those of a full build, uncompressed", async () => {
    const folder = await checkout(() => true)
    const { portal, service } = await start(folder, { VETERAN_APP_PORT: `${await freePort()}` })
    const early = await ask(portal, "/")
    // In development, a foreign name that leads to this machine gets nothing.
    assert.strictEqual((await ask(portal, "/", { headers: { host: "evil.example" } })).status, 421)
    assert.deepStrictEqual([early.status, early.headers["refresh"], early.headers["retry-after"]], [503, "1", "1"])
    await until("the pages are there", async () => (await ask(portal, "/")).status === 200, 120_000)
    const built = () => linesAbout(service.output(), /are built$/).map((line) => line.slice(line.indexOf("the ")))
    await until("it is said", async () => built().length === 2, 120_000)
    assert.deepStrictEqual(built(), ["the portal's pages are built", "the pages of the veteran's app are built"])
    assert.strictEqual(await service.stop(), 0)
    const made = join(folder, "dist/web/portal")
    const [there, here] = [made, site.folder].map((pages) =>
      readdirSync(pages, { recursive: true }).sort() as Array<string>
    )
    assert.deepStrictEqual(there, here!.filter((name) => !/\.(br|gz)$/.test(name)))
    for (const file of there!.filter((name) => statSync(join(made, name)).isFile())) {
      assert.isTrue(readFileSync(join(made, file)).equals(readFileSync(join(site.folder, file))), file)
    }
    assert.isFalse(existsSync(`${made}.new`))

    const later = await start(folder)
    await until("the pages are read", async () => (await ask(later.portal, "/")).status === 200)
    assert.strictEqual(await later.service.stop(), 0)
    assert.deepStrictEqual(linesAbout(later.service.output(), /are built$/), [])
  })

  test("The service keeps running if the portal's port is taken, and says which variable to set", async () => {
    const taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const { port } = taken.address() as { port: number }
    const { service } = await start(root, { PORTAL_PORT: `${port}` })
    const lines = () => linesAbout(service.output(), / is taken: /)
    // The log and the welcome text both have this line. The service may print them after its first answer.
    await until("both say so", async () => lines().length >= 2)
    taken.close()
    assert.lengthOf(lines(), 2, service.output())
    for (const line of lines()) {
      assert.match(
        line,
        new RegExp(`the pages are not served, PORTAL_PORT ${port} is taken: try PORTAL_PORT=${port + 1} npm start$`)
      )
    }
    assert.strictEqual((await fetch(`${service.url}/health`)).status, 200)
    assert.strictEqual(await service.stop(), 0)
  })
})
