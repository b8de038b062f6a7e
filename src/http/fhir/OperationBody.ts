import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isUtf8 } from "node:buffer"
import { InvalidJson, InvalidRequest } from "../../domain/Errors.ts"
import { depthOf, maximumDepth } from "../../services/record/JsonCut.ts"
import { isForm } from "../wire/FormBody.ts"

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/** The values that a parameter of a read may have, as JSON. */
const texts = ["valueCode", "valueDate", "valueDateTime", "valueInstant", "valueString", "valueUri"] as const

const numbers = ["valueInteger", "valuePositiveInt", "valueUnsignedInt"] as const

const optional = <Name extends string, Value extends Schema.Top>(names: ReadonlyArray<Name>, value: Value) =>
  Object.fromEntries(names.map((name) => [name, Schema.optional(value)])) as Record<Name, Schema.optional<Value>>

/** The input of an operation (FHIR R4, "Parameters"). Its other members are ignored. */
export const Parameters = Schema.Struct({
  resourceType: Schema.Literal("Parameters"),
  parameter: Schema.optional(Schema.Array(Schema.Struct({
    name: Schema.String,
    ...optional(texts, Schema.String),
    ...optional(numbers, Schema.Finite)
  })))
}).annotate({ description: "The FHIR R4 resource Parameters" })

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
