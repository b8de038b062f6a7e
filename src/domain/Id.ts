import { Schema, SchemaTransformation } from "effect"

/** A UUID as we write it: in lower case. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An id that the service answers: it was checked when it was made. */
export const AnsweredId = Schema.String.annotate({ format: "uuid" })

/** A UUID, in lower case once decoded. */
export const Id = AnsweredId.check(
  Schema.isPattern(new RegExp(uuid, "i"), { message: "Expected a UUID" })
).pipe(Schema.decode(SchemaTransformation.toLowerCase()))

/** In a path, `me` stands for the token's own veteran. */
export const VeteranIdOrMe = Schema.Union([Schema.Literal("me"), Id]).annotate({ examples: ["me"] })
