import { Data, Effect, Redacted, Runtime } from "effect"
import { apiClient } from "../client/ApiClient.ts"
import { signIn } from "../client/VeteranClient.ts"
import { readOperatorSecrets } from "../services/platform/OperatorSecrets.ts"
import { variable } from "../services/platform/Settings.ts"
import { isLoopback } from "../services/platform/VariableRules.ts"

export class RunningServiceRefused extends Data.TaggedError("RunningServiceRefused")<{ readonly message: string }> {
  /** The demo prints the message itself, so Effect's runtime does not report the error. */
  override readonly [Runtime.errorReported] = false
}

const refuse = (message: string) => Effect.fail(new RunningServiceRefused({ message }))

/**
 * Returns a service that already runs, after checking that it accepts the environment's secrets. A service for others
 * than this machine knows itself by a public address, and is refused unless it `mayBePublic`.
 */
export const runningService = Effect.fnUntraced(function*(baseUrl: string, mayBePublic: boolean) {
  if (!URL.canParse(baseUrl)) return yield* refuse("--url must be a URL such as http://localhost:8080")
  const exchange = Redacted.make(yield* text("VETERAN_SESSION_EXCHANGE_SECRET"))
  // The variable may hold several secrets, as that of the service.
  const admin = readOperatorSecrets(yield* text("INTERNAL_ADMIN_SECRET"))[0]!.secret
  const unreachable = () => refuse(`no service of this version answers at ${baseUrl}`)
  yield* apiClient(baseUrl, { adminSecret: admin }).pipe(
    Effect.flatMap((client) => client.admin.veterans({ query: { limit: 1 } })),
    Effect.catchTag("Unauthenticated", () => refuse(`INTERNAL_ADMIN_SECRET is not the one of ${baseUrl}`)),
    Effect.catchTag(["HttpClientError", "SchemaError"], unreachable)
  )
  yield* signIn({ baseUrl, exchangeSecret: exchange, vaPatientId: "nobody, to try the secret" }).pipe(
    Effect.catchTags({
      VeteranNotFound: () => Effect.void,
      InvalidExchangeSecret: () => refuse(`VETERAN_SESSION_EXCHANGE_SECRET is not the one of ${baseUrl}`),
      SessionExchangeNotConfigured: () =>
        refuse(`${baseUrl} was started without VETERAN_SESSION_EXCHANGE_SECRET, so that no veteran can sign in`)
    }),
    Effect.catchTag(["HttpClientError", "SchemaError"], unreachable)
  )
  const { issuer } = yield* (yield* apiClient(baseUrl)).oauthMetadata.metadataOfIssuer()
  const { hostname, origin } = new URL(issuer)
  if (!mayBePublic && !isLoopback(hostname.replace(/^\[|\]$/g, ""))) {
    return yield* refuse(
      `${origin} is no service for this machine alone. The demo would leave a veteran, a provider and an app on it: ` +
        `add --yes to play all the same, and afterwards npm run demo -- --clean --url ${baseUrl}`
    )
  }
  return { baseUrl, secrets: { exchange, admin } }
})

const text = Effect.fnUntraced(function*(name: string) {
  const value = yield* variable(name)
  return value ?? (yield* refuse(`${name} is missing: --url needs it, as the welcome of npm start shows it`))
})
