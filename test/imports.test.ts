import { globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { filesUnder, importsOf, root } from "./support/Imports.ts"
import { lint } from "./support/Lint.ts"

/** Returns the imports that lint refuses in each of these made-up files. */
const refusedImports = async (imports: Readonly<Record<string, ReadonlyArray<string>>>) => {
  const texts = Object.entries(imports).map(([file, specifiers]) => [
    file,
    specifiers.map((specifier, index) => `export { a as a${index} } from "${specifier}"\n`).join("")
  ])
  const refused = (await lint(Object.fromEntries(texts))).filter(({ code }) => code === "eslint(no-restricted-imports)")
  return Object.fromEntries(
    Object.entries(imports).map(([path, specifiers]) => [
      path,
      specifiers.filter((_, index) => refused.some(({ file, line }) => file === path && line === index + 1))
    ])
  )
}

const rooms = {
  domain: ["../../domain/Id.ts"],
  clinical: ["../../clinical/Row.ts"],
  sql: ["../../sql/Actor.ts", "../../sql/link/EndedTransfers.ts"],
  services: ["../../services/platform/Ids.ts", "../../services/Ids.ts"],
  http: ["../../http/Api.ts", "../../http/link/Handlers.ts"],
  pages: ["../../pages/PortalPages.ts"],
  postgres: ["../../postgres/EmbeddedPostgres.ts"],
  client: ["../../client/ApiClient.ts"],
  demo: ["../../demo/Welcome.ts"],
  layers: ["../../layers/App.ts"]
}

const allow: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/domain/Id.ts": ["effect", "effect/http-api", "./Errors.ts"],
  "src/clinical/Row.ts": ["effect", "../domain/FhirReference.ts", "./Reading.ts", "fhir/r4.js"],
  "src/sql/link/Links.ts": [...rooms.domain, ...rooms.sql, "../Actor.ts", "pg", "node:fs", "effect"],
  "src/services/link/Links.ts": [...rooms.domain, ...rooms.clinical, ...rooms.sql, ...rooms.services, "./Otp.ts",
    "pkijs", "node:fs"],
  "src/http/link/Handlers.ts": [...rooms.domain, ...rooms.services, ...rooms.http, "./Api.ts", "../wire/Responses.ts",
    "node:http"],
  "src/http/Api.ts": ["effect", "effect/http-api", "../domain/Id.ts", "./link/Api.ts", "./contract/RequestLimits.ts"],
  "src/http/link/Api.ts": [...rooms.domain, "effect", "../contract/Authorization.ts", "../contract/FileBytes.ts"],
  "src/http/contract/Authorization.ts": ["effect/http-api", "../../domain/Id.ts", "./FileBytes.ts"],
  "src/pages/PortalPages.ts": ["../services/platform/Settings.ts", "../domain/Id.ts", "node:fs"],
  "src/postgres/EmbeddedPostgres.ts": ["./PostgresPrograms.ts", "effect", "node:fs"],
  "src/client/ApiClient.ts": ["../domain/Id.ts", "../clinical/Row.ts", "../http/Api.ts", "../http/link/Api.ts",
    "../http/contract/Authorization.ts", "./FhirReader.ts", "effect", "@effect/platform-node/NodeHttpServer",
    "node:fs"],
  "src/client/operator/People.ts": ["../../domain/Id.ts", "./AdminService.ts", "effect/cli", "node:fs"],
  "src/demo/Welcome.ts": ["../client/ApiClient.ts", "../pages/PortalPages.ts", "../postgres/EmbeddedPostgres.ts",
    "../services/platform/Settings.ts"],
  "src/layers/App.ts": ["../domain/Id.ts", "../services/platform/Ids.ts", "../sql/Actor.ts", "../http/Api.ts",
    "../pages/PortalPages.ts", "../demo/Welcome.ts", "./Http.ts"],
  "web/portal/App.ts": ["../../src/domain/Id.ts", "../../src/clinical/Sections.ts", "../../src/http/Api.ts",
    "../../src/http/link/Api.ts", "../shared/Page.ts"],
  "src/main.ts": ["./layers/App.ts", "./services/platform/Ids.ts", "./client/ApiClient.ts"]
}

const upwards = (specifier: string) => specifier.replace("../../", "../")
const above = (names: ReadonlyArray<keyof typeof rooms>) => names.flatMap((name) => rooms[name])

const forbid: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/domain/Id.ts": ["node:fs", "pg", "effectful", "@effect/platform-node", "../services/platform/Ids.ts",
    "../sql/Actor.ts", "../http/Api.ts", "../layers/App.ts", "../clinical/Row.ts", "./../services/platform/Ids.ts"],
  "src/clinical/Row.ts": ["node:fs", "pg", "fhir", "fhir/r5.js", "@medplum/core", "../services/platform/Ids.ts",
    "../sql/Actor.ts", "../http/Api.ts", "../layers/App.ts", "../client/ApiClient.ts"],
  "src/sql/link/Links.ts": above(["clinical", "services", "http", "pages", "postgres", "client", "demo", "layers"]),
  "src/sql/Actor.ts": above(["clinical", "services", "http", "layers", "client"]).map(upwards),
  "src/services/link/Links.ts": above(["http", "pages", "postgres", "client", "demo", "layers"]),
  "src/http/link/Handlers.ts": above(["sql", "pages", "postgres", "client", "demo", "layers"]),
  "src/http/wire/Responses.ts": above(["sql", "pages", "postgres", "client", "demo", "layers"]),
  "src/pages/PortalPages.ts": above(["sql", "http", "postgres", "client", "demo", "layers"]).map(upwards),
  "src/postgres/EmbeddedPostgres.ts": above(["domain", "services", "layers"]).map(upwards),
  "src/demo/Welcome.ts": above(["layers"]).map(upwards),
  "src/http/Api.ts": [...above(["services", "sql", "layers", "client"]).map(upwards), "./link/Handlers.ts",
    "./wire/Responses.ts", "node:http", "content-disposition"],
  ...Object.fromEntries(
    ["Authorization", "RequestLimits", "FileBytes"].map((name) => [
      `src/http/contract/${name}.ts`,
      [...above(["services", "sql", "layers", "client"]), "../link/Handlers.ts", "../wire/Responses.ts", "node:http"]
    ])
  ),
  "src/http/link/Api.ts": [...above(["services", "sql", "layers", "client"]), "./Handlers.ts",
    "../wire/RequestLimitsLive.ts", "../wire/Responses.ts", "node:http", "@effect/platform-node", "pg"],
  "src/client/ApiClient.ts": ["../services/platform/Ids.ts", "../sql/Actor.ts", "../layers/App.ts",
    "../http/wire/Responses.ts", "../http/link/Handlers.ts"],
  "src/client/operator/People.ts": above(["services", "sql", "pages", "postgres", "demo", "layers"]),
  "web/portal/App.ts": ["../../src/services/platform/Ids.ts", "../../src/sql/Actor.ts", "../../src/layers/App.ts",
    "../../src/http/wire/Responses.ts", "../../src/http/link/Handlers.ts"]
}

describe("Lint", () => {
  test(
    "allows imports in the direction http → services → sql → domain, and refuses them in the opposite direction",
    async () => {
      const files = [...new Set([...Object.keys(allow), ...Object.keys(forbid)])]
      const all = Object.fromEntries(files.map((file) => [file, [...allow[file] ?? [], ...forbid[file] ?? []]]))
      assert.deepStrictEqual(
        await refusedImports(all),
        Object.fromEntries(files.map((file) => [file, forbid[file] ?? []]))
      )
    }
  )
})

describe("The rooms of src/services", () => {
  const maintainer = readFileSync(join(root, "docs/maintainer.md"), "utf8").split("## A request")[0]!
  const table = [...maintainer.matchAll(/^\| `(\w+)` +\|[^|]+\|([^|]*)\|$/gm)].map(([, room, imports]) =>
    [room!, imports!.trim()] as const
  )
  const order = table.map(([room]) => room)
  const roomOf = (file: string) => /^src\/services\/(\w+)\//.exec(file)?.[1] ?? ""

  test("import what the table of docs/maintainer.md says, types included, and only rooms above them", () => {
    assert.isAbove(table.length, 10)
    const imported = Object.groupBy(
      filesUnder("src/services").flatMap((file) =>
        importsOf(file).own.map((own) => ({ from: roomOf(file), to: roomOf(own) }))
      ),
      ({ from }) => from
    )
    for (const [index, [room, imports]] of table.entries()) {
      const others = new Set(imported[room]?.map(({ to }) => to))
      const named = [...others].filter((to) => !["", "platform", room].includes(to)).sort()
      assert.strictEqual(imports, named.join(", "), room)
      assert.deepStrictEqual(named.filter((to) => order.indexOf(to) > index), [], `${room} imports rooms below it`)
    }
    assert.deepStrictEqual(Object.keys(imported).sort(), order.toSorted())
  })

  test("are composed by layers/App.ts in the order of that table", () => {
    const app = readFileSync(join(root, "src/layers/App.ts"), "utf8")
    const imported = new Map(
      [...app.matchAll(/^import \{ (\w+) \} from "..\/services\/(\w+)\/Room.ts"$/gm)].map((
        [, name, room]
      ) => [name!, room!])
    )
    const composed = [...app.matchAll(/\b(\w+Layer)(?=\.pipe|\),$)/gm)].flatMap(([, name]) => imported.get(name!) ?? [])
    assert.deepStrictEqual(composed.toReversed(), order.filter((room) => !["pdf", "doctor"].includes(room)))
    assert.deepStrictEqual(globSync("src/services/*/Room.ts", { cwd: root }).map(roomOf).sort(), composed.toSorted())
  })
})

describe("Circles of imports", () => {
  /** Removes what leads to no circle, or is led to by none, until nothing more can be removed. */
  const circlesIn = (imports: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
    const imported = new Set([...imports.values()].flat())
    const left = new Map([...imports].filter(([file, own]) => imported.has(file) && own.length > 0))
    if (left.size === imports.size) return [...left.keys()]
    return circlesIn(new Map([...left].map(([file, own]) => [file, own.filter((other) => left.has(other))])))
  }

  test("are found, but not a file that imports one or is imported by one", () => {
    assert.deepStrictEqual(circlesIn(new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", ["b"]], ["d", []]])), ["b", "c"])
  })

  test("do not exist in src and web, types included", () => {
    const files = ["src", "web"].flatMap(filesUnder)
    assert.isAbove(files.length, 1_000)
    assert.deepStrictEqual(circlesIn(new Map(files.map((file) => [file, importsOf(file).own]))), [])
  })
})

test("Only test files import Runs.ts, because the long tier finds those that try less by that import", () => {
  const importing = filesUnder("test").filter((file) => importsOf(file).own.includes("test/support/Runs.ts"))
  assert.isNotEmpty(importing)
  assert.deepStrictEqual(importing.filter((file) => !file.endsWith(".test.ts")), [])
})

describe("One noun, one name", () => {
  const roomsOf = (storey: string) =>
    readdirSync(join(root, storey), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) =>
      name
    )
  const nouns = roomsOf("src/services")

  /** The only folders (rooms) of `src/http` and `test/http` that `src/services` does not have. */
  const ofHttp = ["contract", "wire"]

  test.each(["src/sql", "src/http", "test/sql", "test/services", "test/http"])(
    "each room of %s has the name of a room of src/services",
    (storey) => {
      const allowed = storey.endsWith("/http") ? [...nouns, ...ofHttp] : nouns
      assert.deepStrictEqual(roomsOf(storey).filter((room) => !allowed.includes(room)), [])
    }
  )
})
