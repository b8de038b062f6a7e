import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import { InvalidJson, InvalidRequest } from "../../domain/Errors.ts"
import { Parameters } from "../../domain/OperationParameters.ts"
import { depthOf, maximumDepth } from "../../services/record/JsonCut.ts"
import { isForm } from "../wire/FormBody.ts"

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

const decode = Schema.decodeUnknownEffect(Parameters)

const parsed = (bytes: Buffer): Effect.Effect<unknown, InvalidJson> =>
  isUtf8(bytes)
    ? Effect.try({ try: () => JSON.parse(bytes.toString()), catch: () => new InvalidJson() })
    : Effect.fail(new InvalidJson())

/** Reads an operation's parameters from its body: none, a form, or Parameters. */
export const operationPairs = Effect.fnUntraced(
  function*({ headers }: HttpServerRequest.HttpServerRequest, body: Uint8Array) {
    const bytes = Buffer.from(body)
    if (bytes.length === 0) return []
    if (isForm(headers["content-type"])) return [...new URLSearchParams(bytes.toString())]
    if (depthOf(bytes) > maximumDepth) {
      return yield* InvalidRequest.at([], `Expected at most ${maximumDepth} levels of nesting`)
    }
    const { parameter = [] } = yield* Effect.mapError(
      Effect.flatMap(parsed(bytes), decode),
      (error) => error instanceof InvalidJson ? error : InvalidRequest.of(error)
    )
    return parameter.map(({ name, ...values }): Pairs[number] => [name, `${Object.values(values)[0] ?? ""}`])
  }
)
