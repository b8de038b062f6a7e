import { Effect, Schema } from "effect"
import { Problem } from "../../shared/Problem.ts"

/** Limit of the VA's answer in bytes, and of the time for it. */
const maxBytes = 65_536
const patience = "20 seconds"

const Text = (length: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(length))

/** A token, in words: the VA sends more members, which are ignored (RFC 6749, 5.1). */
const Token = Schema.Struct({
  access_token: Text(16_384),
  token_type: Schema.String.check(Schema.isPattern(/^bearer$/i)),
  expires_in: Schema.optionalKey(Schema.Finite)
})

const Identity = Schema.Struct({ id_token: Text(8_192), patient: Text(128) })

/** Seconds that an access token counts if the VA does not say it. */
const shortest = 300

/** What the VA gives for a code: who signed in, whose record it is, and a token that opens the record. */
export interface VaAnswer {
  readonly idToken: string
  readonly patientId: string
  readonly accessToken: string
  /** By this device's clock, in milliseconds since 1970. */
  readonly expiresAt: number
}

const refused = (error: string) => Effect.fail(Problem.make({ error }))

interface Exchange {
  readonly tokenUrl: string
  readonly clientId: string
  readonly redirectUri: string
  readonly code: string
  readonly verifier: string
}

/** Redeems a code at the VA. Every other answer of the VA becomes one of two problems that have words. */
export const redeemCode = (exchange: Exchange): Effect.Effect<VaAnswer, Problem> =>
  Effect.tryPromise((signal) => ask(exchange, signal)).pipe(
    Effect.timeout(patience),
    Effect.catch(() => Effect.undefined),
    Effect.flatMap((answer) => {
      const token = Schema.decodeUnknownOption(Token)(answer)
      if (token._tag === "None") return refused("va_unfinished")
      const identity = Schema.decodeUnknownOption(Identity)(answer)
      if (identity._tag === "None") return refused("va_nobody")
      return Effect.succeed({
        idToken: identity.value.id_token,
        patientId: identity.value.patient,
        accessToken: token.value.access_token,
        expiresAt: Date.now() + Math.max(0, token.value.expires_in ?? shortest) * 1_000
      })
    })
  )

/** Asks for the token, and returns JSON of status 200, or undefined for everything else. */
const ask = async ({ clientId, code, redirectUri, tokenUrl, verifier }: Exchange, signal: AbortSignal) => {
  const response = await fetch(tokenUrl, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifier
    }),
    headers: { accept: "application/json" },
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    signal
  })
  const type = response.headers.get("content-type")?.split(";", 1)[0]!.trim().toLowerCase()
  if (response.status !== 200 || type !== "application/json" || response.body === null) return undefined
  const chunks: Array<Uint8Array<ArrayBuffer>> = []
  let size = 0
  // Safari's streams are not iterable, so a reader takes the chunks.
  const reader = response.body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length
    if (size > maxBytes) {
      await reader.cancel()
      return undefined
    }
    chunks.push(part.value)
  }
  return JSON.parse(await new Blob(chunks).text()) as unknown
}
