import { Schema } from "effect"
import { AnsweredId, Id } from "./Id.ts"
import { EmailAddress, Text } from "./Scalars.ts"

/** Limits of the code that confirms a new address, as seconds or counts. SQL gets them as parameters. */
export const emailChangeLimits = { codeSeconds: 600, triesPerCode: 5, changesPerDay: 5 } as const

export const NewEmail = Schema.Struct({ email: EmailAddress }).annotate({ identifier: "NewEmail" })

export const EmailChallenge = Schema.Struct({
  challengeId: AnsweredId,
  expiresIn: Schema.Literal(emailChangeLimits.codeSeconds)
}).annotate({ identifier: "EmailChallenge" })

export const EmailCode = Schema.Struct({
  challengeId: Id,
  code: Text(40).annotate({ description: "8 digits; spaces and hyphens do not count" })
}).annotate({ identifier: "EmailCode" })
