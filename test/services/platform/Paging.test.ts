import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Schema } from "effect"
import { PageRequest } from "../../../src/domain/Page.ts"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import { Paging } from "../../../src/services/platform/Paging.ts"
import { settingsOf } from "../../support/SettingsOf.ts"

const live = Paging.layer.pipe(Layer.provide(Crypto.layer), Layer.provide(settingsOf()))

/** Returns a query that pages through `ids` as a database would. */
const rowsOf =
  (ids: ReadonlyArray<string>) => ({ after, limit }: { readonly after: string | undefined; readonly limit: number }) =>
    Effect.succeed(ids.filter((id) => after === undefined || id > after).slice(0, limit).map((id) => ({ id })))

const Ids = Schema.UniqueArray(Schema.String)

describe("Pages", () => {
  it.effect.prop(
    "hold each row once and in order, with any limit",
    { ids: Ids, limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 })) },
    ({ ids, limit }) =>
      Effect.gen(function*() {
        const sorted = ids.toSorted()
        const paging = yield* Paging
        const seen: Array<string> = []
        let cursor: string | undefined
        do {
          const page: { readonly items: ReadonlyArray<{ readonly id: string }>; readonly nextCursor: string | null } =
            yield* paging.byId("list", { limit, cursor }, rowsOf(sorted))
          assert.isAtMost(page.items.length, limit)
          seen.push(...page.items.map(({ id }) => id))
          if (page.nextCursor !== null) assert.lengthOf(page.items, limit)
          cursor = page.nextCursor ?? undefined
        } while (cursor !== undefined)
        assert.deepStrictEqual(seen, sorted)
      }).pipe(Effect.provide(live)),
    { arbitrary: { runs: 200 } }
  )

  it.effect("hold 50 rows by default", () =>
    Effect.gen(function*() {
      const ids = Array.from({ length: 120 }, (_, n) => `${1000 + n}`)
      const page = yield* Paging.use((paging) => paging.byId("list", {}, rowsOf(ids)))
      assert.lengthOf(page.items, 50)
    }).pipe(Effect.provide(live)))
})

describe("A cursor", () => {
  it.effect.prop(
    "is valid only for its own list",
    { position: Schema.Array(Schema.String), at: Schema.Int },
    ({ at, position }) =>
      Effect.gen(function*() {
        const paging = yield* Paging
        const cursor = paging.cursor("list", position)
        assert.deepStrictEqual(yield* paging.position("list", cursor), position)
        const changed = Math.abs(at) % cursor.length
        const forged = `${cursor.slice(0, changed)}${cursor[changed] === "A" ? "B" : "A"}${cursor.slice(changed + 1)}`
        const refused: ReadonlyArray<readonly [list: string, cursor: string]> = [["other list", cursor], [
          "list",
          `${cursor}A`
        ], ["list", ""]]
        for (const [list, given] of refused) {
          const exit = yield* Effect.exit(paging.position(list, given))
          assert.isTrue(Exit.isFailure(exit) && String(exit.cause).includes("InvalidRequest"), `${list} took ${given}`)
        }
        // In base64, different last characters can encode the same bytes. If the changed cursor is accepted, it must
        // still give the signed position.
        const exit = yield* Effect.exit(paging.position("list", forged))
        if (Exit.isSuccess(exit)) assert.deepStrictEqual(exit.value, position)
      }).pipe(Effect.provide(live)),
    { arbitrary: { runs: 300 } }
  )
})

describe("A cursor of a list is refused", () => {
  it.effect.each<readonly [string, (cursor: string) => string]>([
    ["text behind it", (cursor) => `${cursor}.junk`],
    ["a dot behind it", (cursor) => `${cursor}.`],
    ["text before it", (cursor) => `.${cursor}`],
    ["padding", (cursor) => `${cursor}==`],
    ["padding in its position", (cursor) => cursor.replace(".", "=.")],
    ["a character in its position that base64url skips", (cursor) => cursor.replace(".", "!.")],
    ["other bits at the end of its position", (cursor) => cursor.replace("Q.", "R.")],
    ["other bits at the end of its signature", (cursor) => cursor.replace(/.$/, (last) => last === "A" ? "B" : "R")]
  ])("with %s", ([, change]) =>
    Effect.gen(function*() {
      const paging = yield* Paging
      // The JSON has 7 bytes, so its last base64url character has four unused bits, which a test can change.
      const cursor = paging.cursor("list", ["abc"])
      assert.match(cursor, /^[\w-]{10}\.[\w-]{22}$/)
      const changed = change(cursor)
      assert.notStrictEqual(changed, cursor)
      const exit = yield* Effect.exit(paging.position("list", changed))
      assert.isTrue(Exit.isFailure(exit), changed)
    }).pipe(Effect.provide(live)))
})

describe("A page request", () => {
  it("accepts a limit from 1 to 200", () => {
    const accepts = Schema.is(Schema.Struct(PageRequest))
    for (const limit of [1, 50, 200]) assert.isTrue(accepts({ limit }), `${limit}`)
    for (const limit of [0, -1, 201, 1.5, NaN, "10"]) assert.isFalse(accepts({ limit }), `${limit}`)
    assert.isFalse(accepts({ cursor: "x".repeat(1025) }))
  })
})
