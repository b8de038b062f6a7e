import { assert, describe, test } from "vitest"
import { filesUnder, importsOf } from "./support/Imports.ts"
import { lint } from "./support/Lint.ts"

/** The imports that lint refuses to each of these files, which are made up. */
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
  services: ["../../services/platform/Ids.ts", "../../services/Ids.ts"],
  sql: ["../../sql/Actor.ts", "../../sql/link/EndedTransfers.ts"],
  http: ["../../http/Api.ts", "../../http/link/Handlers.ts"],
  layers: ["../../layers/App.ts"],
  client: ["../../client/ApiClient.ts"]
}

const allow: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/domain/Id.ts": ["effect", "effect/http-api", "./Errors.ts"],
  "src/domain/clinical/Row.ts": ["effect", "../FhirReference.ts", "./Reading.ts", "fhir/r4.js"],
  "src/sql/link/Links.ts": [...rooms.domain, ...rooms.sql, "../Actor.ts", "pg", "node:fs", "effect"],
  "src/services/link/Links.ts": [...rooms.domain, ...rooms.sql, ...rooms.services, "./Otp.ts", "pkijs", "node:fs"],
  "src/http/link/Handlers.ts": [...rooms.domain, ...rooms.services, ...rooms.http, "./Api.ts", "node:http"],
  "src/http/Api.ts": ["effect", "effect/http-api", "../domain/Id.ts", "./link/Api.ts", "./RequestLimits.ts"],
  "src/http/link/Api.ts": [...rooms.domain, "effect", "../Authorization.ts", "../RequestLimits.ts", "../FileBytes.ts"],
  "src/http/Authorization.ts": ["effect/http-api", "../domain/Id.ts"],
  "src/client/ApiClient.ts": ["../domain/Id.ts", "../http/Api.ts", "../http/link/Api.ts", "../http/Authorization.ts",
    "./FhirReader.ts", "effect", "@effect/platform-node/NodeHttpServer", "node:fs"],
  "src/layers/App.ts": ["../domain/Id.ts", "../services/platform/Ids.ts", "../sql/Actor.ts", "../http/Api.ts",
    "./Http.ts"],
  "portal/src/App.ts": ["../../src/domain/Id.ts", "../../src/domain/clinical/Sections.ts", "../../src/http/Api.ts",
    "../../src/http/link/Api.ts", "./Page.ts"],
  "src/main.ts": ["./layers/App.ts", "./services/platform/Ids.ts", "./client/ApiClient.ts"]
}

const upwards = (specifier: string) => specifier.replace("../../", "../")

const forbid: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/domain/Id.ts": ["node:fs", "pg", "effectful", "@effect/platform-node", "../services/platform/Ids.ts",
    "../sql/Actor.ts", "../http/Api.ts", "../layers/App.ts", "../client/ApiClient.ts", "./../services/platform/Ids.ts"],
  "src/domain/clinical/Row.ts": ["node:fs", "pg", "fhir", "fhir/r5.js", "@medplum/core",
    "../../services/platform/Ids.ts", "../../sql/Actor.ts", "../../http/Api.ts", "../../layers/App.ts",
    "../../client/ApiClient.ts"],
  "src/sql/link/Links.ts": [...rooms.services, ...rooms.http, ...rooms.layers, ...rooms.client],
  "src/sql/Actor.ts": [...rooms.services, ...rooms.http, ...rooms.layers, ...rooms.client].map(upwards),
  "src/services/link/Links.ts": [...rooms.http, ...rooms.layers, ...rooms.client],
  "src/http/link/Handlers.ts": [...rooms.sql, ...rooms.layers, ...rooms.client],
  "src/http/Responses.ts": [...rooms.sql, ...rooms.layers, ...rooms.client].map(upwards),
  ...Object.fromEntries(
    ["Api", "Authorization", "RequestLimits", "FileBytes"].map((name) => [
      `src/http/${name}.ts`,
      [...rooms.services, ...rooms.sql, ...rooms.layers, ...rooms.client].map(upwards).concat(
        ["./link/Handlers.ts", "./Responses.ts", "./RequestLimitsLive.ts", "node:http", "content-disposition"]
      )
    ])
  ),
  "src/http/link/Api.ts": [...rooms.services, ...rooms.sql, ...rooms.layers, ...rooms.client, "./Handlers.ts",
    "../RequestLimitsLive.ts", "../Responses.ts", "node:http", "@effect/platform-node", "pg"],
  "src/client/ApiClient.ts": ["../services/platform/Ids.ts", "../sql/Actor.ts", "../layers/App.ts",
    "../http/Responses.ts", "../http/RequestLimitsLive.ts", "../http/link/Handlers.ts"],
  "portal/src/App.ts": ["../../src/services/platform/Ids.ts", "../../src/sql/Actor.ts", "../../src/layers/App.ts",
    "../../src/http/Responses.ts", "../../src/http/link/Handlers.ts"]
}

describe("Lint", () => {
  test("lets an import go on the way http → services → sql → domain", async () => {
    const none = Object.fromEntries(Object.keys(allow).map((file) => [file, []]))
    assert.deepStrictEqual(await refusedImports(allow), none)
  })

  test("refuses each import that goes back, and what a browser cannot load to contracts and the domain", async () => {
    assert.deepStrictEqual(await refusedImports(forbid), forbid)
  })
})

describe("The rooms of src/services", () => {
  const roomOf = (file: string) => /^src\/services\/(\w+)\//.exec(file)?.[1]

  test("import one another in no circle", () => {
    const arrows = new Map<string, Set<string>>()
    for (const file of filesUnder("src/services")) {
      const from = roomOf(file)!
      const to = arrows.get(from) ?? new Set()
      for (const room of importsOf(file).own.map(roomOf)) if (room !== undefined && room !== from) to.add(room)
      arrows.set(from, to)
    }
    assert.isAbove(arrows.size, 5)
    const visit = (room: string, path: ReadonlyArray<string>) => {
      assert.notInclude(path, room, `a circle: ${[...path, room].join(" → ")}`)
      for (const next of arrows.get(room) ?? []) visit(next, [...path, room])
    }
    for (const room of arrows.keys()) visit(room, [])
  })
})
