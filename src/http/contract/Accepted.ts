import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** The answer 202 of a request whose effect nobody is told, such as a mail to an address that may be nobody's. */
export const Accepted = Schema.Struct({ status: Schema.Literal("accepted") }).pipe(HttpApiSchema.status(202))

export const acceptedAnswer: typeof Accepted.Type = { status: "accepted" }
