import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { parseSearchPage } from "../../src/client/FhirBundle.ts"
import { inherited } from "../support/Environment.ts"
import { PlainJson } from "../support/PlainJson.ts"
import { condition } from "./Upstream.ts"

const encoder = new TextEncoder()

const parse = (text: string) => parseSearchPage(encoder.encode(text), "Condition")

/** The entries of a page, by `JSON.parse` of the whole page; nothing if it is no search result. */
const wholly = (page: Uint8Array): ReadonlyArray<any> | undefined => {
  try {
    const { entry, resourceType, type } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(page))
    const isPage = resourceType === "Bundle" && type === "searchset" && (entry == null || Array.isArray(entry))
    return isPage ? entry ?? [] : undefined
  } catch {
    return undefined
  }
}

/** Bytes that separate, open or close something in JSON, begin a mark or break UTF-8. */
const wrongBytes = [...encoder.encode("[]{},:\"\\ 1e-tn\n"), 0, 0x80, 0xc3, 0xef, 0xff]

describe("parseSearchPage", () => {
  const spaces = ["", " ", "\n\t", " \r\n "]
  const space = (seed: number) => spaces[seed % spaces.length]!

  it.effect.prop(
    "cuts each resource out of any well-formed text",
    {
      values: Schema.Array(PlainJson),
      seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
    },
    ({ seed, values }) =>
      Effect.sync(() => {
        const resources = values.map((value, index) => {
          const text = JSON.stringify(
            { ...Object(value), id: `r${index}`, resourceType: "Condition" },
            null,
            space(seed)
          )
          return text.isWellFormed() ? text : JSON.stringify({ id: `r${index}`, resourceType: "Condition" })
        })
        const s = space(seed + 1)
        const entries = resources.map((text) =>
          `${s}{"link":[{"resource":"]}"}]${s},"resource"${s}:${s}${text}${s},"search"${s}:{"mode":"match"}}${s}`
        )
        const text = `${s}{"entry":[{"resource":1}],"resourceType":"Bundle","type":"searchset",` +
          `"\\u0065ntry"${s}:${s}[${entries.join(",")}],"total":${resources.length},"extra":"\\\\\\"]}"}${s}`
        const page = Option.getOrThrow(parse(text))
        const kept = resources.filter((resource) => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(resource))
        assert.deepStrictEqual(page.resources.map((resource) => resource.text), kept)
        assert.strictEqual(page.leftOut, resources.length - kept.length)
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect("finds a resource in a bundle that also has members of every JSON type", () =>
    Effect.sync(() => {
      const scalars =
        `"a":1.00,"b":-1.000000000000000000000000000000000000E+245 ,"c":true,"d":null,"e":"\\\\","f":"\\"}","g":[],"h":{}`
      const resource = `{${scalars},"id":"a","resourceType":"Condition","z":1}`
      const text =
        `{${scalars},"resourceType":"Bundle","type":"searchset","entry":[{${scalars},"resource":${resource},"i":2}],"j":3}`
      const page = Option.getOrThrow(parse(text))
      assert.deepStrictEqual(page.resources, [{ id: "a", text: resource, match: true, patient: undefined }])
    }))

  it.effect("reads only the last of two members with the same name, as JSON.parse does", () =>
    Effect.sync(() => {
      const text = `{"resourceType":"Bundle","type":"searchset","entry":[{"resource":${
        condition("a")
      }}],"entry":[{"resource":${condition("b")},"resource":${condition("c")}}]}`
      assert.deepStrictEqual(Option.getOrThrow(parse(text)).resources, [
        { id: "c", text: condition("c"), match: true, patient: undefined }
      ])
    }))

  it.effect.prop(
    "takes and refuses the same pages as JSON.parse of the whole page, after any change of a byte",
    {
      ids: Schema.Array(Schema.Literals(["a", "b", "é"])).check(Schema.isMaxLength(3)),
      at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
      byte: Schema.Literals(wrongBytes),
      how: Schema.Literals(["replaced", "inserted", "left out", "cut here", "marked"])
    },
    ({ at, byte, how, ids }) =>
      Effect.sync(() => {
        const entries = ids.map((id) => `{"resource":{"resourceType":"Condition","id":"x","text":"${id}"}} `)
        const text = `{"type":"searchset" ,"entry": [ ${entries.join(", ")}],"resourceType":"Bundle","extra":[]}`
        const bytes = [...encoder.encode(text)]
        const place = at % bytes.length
        if (how === "replaced") bytes[place] = byte
        else if (how === "inserted") bytes.splice(place, 0, byte)
        else if (how === "left out") bytes.splice(place, 1)
        else if (how === "cut here") bytes.length = place
        else bytes.unshift(0xef, 0xbb, 0xbf)
        const [page, whole] = [Option.getOrUndefined(parseSearchPage(Uint8Array.from(bytes), "Condition")),
          wholly(Uint8Array.from(bytes))]
        assert.strictEqual(page === undefined, whole === undefined)
        const kept = (whole ?? []).filter((entry) =>
          entry?.resource?.resourceType === "Condition" && /^[A-Za-z0-9.-]{1,64}$/.test(entry.resource.id ?? "")
        )
        assert.deepStrictEqual(
          (page?.resources ?? []).map(({ text }) => JSON.parse(text)),
          kept.map(({ resource }) => resource)
        )
      }),
    { arbitrary: { runs: 3000 } }
  )

  it.effect("refuses 16 MiB of commas in place of entries with a heap of 64 MB", () =>
    Effect.sync(() => {
      const program = `
        import { parseSearchPage } from ${JSON.stringify(new URL("../../src/client/FhirBundle.ts", import.meta.url))}
        const page = Buffer.alloc(16 * 1024 * 1024, ",")
        page.write('{"resourceType":"Bundle","type":"searchset","entry":[')
        page.write("]}", page.length - 2)
        console.log(parseSearchPage(page, "Condition")._tag)`
      const run = spawnSync(process.execPath, ["--max-old-space-size=64", "--input-type=module", "-e", program], {
        encoding: "utf8",
        env: inherited as NodeJS.ProcessEnv
      })
      assert.deepStrictEqual([run.status, run.stdout], [0, "None\n"])
    }))
})
