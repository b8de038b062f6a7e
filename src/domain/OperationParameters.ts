import { Schema } from "effect"

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
