import { Schema, SchemaTransformation } from "effect"
import { SecureRandom } from "effect/crypto"

/** A UUIDv7 (RFC 9562): ids made later sort later, so lists are ordered by id alone. */
export const newId = (): string => SecureRandom.uuidV7Unsafe()

/** A UUID, in lower case once decoded. */
export const Id = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { message: "Expected a UUID" })
).pipe(Schema.decode(SchemaTransformation.toLowerCase()))

/** In a path, `me` stands for the token's own veteran. */
export const VeteranIdOrMe = Schema.Union([Schema.Literal("me"), Id])
