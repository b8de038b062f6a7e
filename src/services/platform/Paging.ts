import { Context, Effect, Layer, Schema } from "effect"
import { InvalidRequest } from "../../domain/Errors.ts"
import { pageBytes, pageLimit, type PageRequest } from "../../domain/Page.ts"
import type { PageQuery } from "../../sql/Page.ts"
import { Crypto } from "./Crypto.ts"
import { makePace } from "./Pace.ts"

const Position = Schema.fromJsonString(Schema.Array(Schema.String))

const decodePosition = Schema.decodeUnknownOption(Position)

interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/** Reads lists in pages. A cursor is the signed key of a row. A cursor of another list or another user is refused. */
export class Paging extends Context.Service<Paging, {
  /** `list` names the list and its owner. `position` returns the key of a row, for the cursor. */
  readonly page: <Row, E, R>(
    list: string,
    request: PageRequest,
    rows: (
      query: { readonly after: ReadonlyArray<string> | undefined; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Row>, E, R>,
    position: (row: Row) => ReadonlyArray<string>
  ) => Effect.Effect<Page<Row>, E | InvalidRequest, R>
  /** Reads a page of rows that are ordered by their `id`. */
  readonly byId: <Row extends { readonly id: string }, E, R>(
    list: string,
    request: PageRequest,
    rows: (query: PageQuery) => Effect.Effect<ReadonlyArray<Row>, E, R>
  ) => Effect.Effect<Page<Row>, E | InvalidRequest, R>
  /** Like `byId`, but decrypts the rows, with pauses for other requests. The page ends at about `pageBytes` of text. */
  readonly opened: <
    Row extends { readonly id: string },
    Item extends { readonly id: string; readonly text: string },
    R
  >(
    list: string,
    request: PageRequest,
    rows: (query: PageQuery) => Effect.Effect<ReadonlyArray<Row>, never, R>,
    open: (row: Row) => Effect.Effect<Item>
  ) => Effect.Effect<Page<Item>, InvalidRequest, R>
  readonly cursor: (list: string, position: ReadonlyArray<string>) => string
  readonly position: (list: string, cursor: string) => Effect.Effect<ReadonlyArray<string>, InvalidRequest>
}>()("vrss/services/platform/Paging") {
  static readonly layer = Layer.effect(
    Paging,
    Effect.gen(function*() {
      const sign = (yield* Crypto).keyedHash("cursor")
      const signed = (list: string, json: string) =>
        `${Buffer.from(json).toString("base64url")}.${sign(list, json).subarray(0, 16).toString("base64url")}`

      const cursor = (list: string, position: ReadonlyArray<string>) => signed(list, JSON.stringify(position))
      const position = (list: string, cursor: string) => {
        const json = Buffer.from(cursor.split(".", 1)[0]!, "base64url").toString()
        // The signature protects no secret; it keeps clients from relying on the cursor's content. Base64url can spell
        // the same bytes in several ways. So the cursor's text is compared, not its bytes.
        const decoded = cursor === signed(list, json) ? decodePosition(json) : undefined
        return decoded?._tag === "Some"
          ? Effect.succeed(decoded.value)
          : Effect.fail(InvalidRequest.at(["cursor"], "Expected a cursor from this list's nextCursor"))
      }
      const page: Paging["Service"]["page"] = Effect.fnUntraced(function*(list, request, rows, positionOf) {
        const limit = request.limit ?? pageLimit.default
        const after = request.cursor === undefined ? undefined : yield* position(list, request.cursor)
        const oneMore = yield* rows({ after, limit: limit + 1 })
        const items = oneMore.slice(0, limit)
        return { items, nextCursor: oneMore.length > limit ? cursor(list, positionOf(items.at(-1)!)) : null }
      })
      const byId: Paging["Service"]["byId"] = (list, request, rows) =>
        page(list, request, ({ after, limit }) => rows({ after: after?.[0], limit }), (row) => [row.id])
      const opened: Paging["Service"]["opened"] = Effect.fnUntraced(function*(list, request, rows, open) {
        const { items: sealed, nextCursor } = yield* byId(list, request, rows)
        const pace = makePace()
        const items: Array<Effect.Success<ReturnType<typeof open>>> = []
        let remaining = pageBytes
        for (const row of sealed) {
          if (remaining <= 0) return { items, nextCursor: cursor(list, [items.at(-1)!.id]) }
          const item = yield* open(row)
          items.push(item)
          const bytes = Buffer.byteLength(item.text)
          remaining -= bytes
          // Counted twice, because the text is opened here and later written as JSON.
          yield* pace(2 * bytes)
        }
        return { items, nextCursor }
      })
      return Paging.of({
        page,
        byId,
        opened,
        cursor,
        position
      })
    })
  )
}
