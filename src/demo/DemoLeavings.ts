import { Effect, type Redacted } from "effect"
import { apiClient } from "../client/ApiClient.ts"
import { pageLimit } from "../domain/Page.ts"

export const sampleApp = { name: "Sample App", redirectUri: "http://127.0.0.1/callback" }

/** The addresses that a demo gives, by which `--clean` knows its people again. */
export const demoAddresses = {
  veteran: (suffix: string) => `eagle.${suffix}@demo.example`,
  provider: (suffix: string) => `dr.${suffix}@demo.example`
}

/** `demo.example` is reserved (RFC 2606), so nobody has an address there. */
const isOfDemo = (email: string, who: string) => new RegExp(`^${who}\\.[0-9a-f]{8}@demo\\.example$`).test(email)

interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly nextCursor: string | null
}

const all = Effect.fnUntraced(function*<A, E, R>(
  page: (query: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<Page<A>, E, R>
) {
  const items: Array<A> = []
  let cursor: string | null = null
  do {
    const next: Page<A> = yield* page({ limit: pageLimit.maximum, ...(cursor === null ? {} : { cursor }) })
    items.push(...next.items)
    cursor = next.nextCursor
  } while (cursor !== null)
  return items
})

/**
 * Takes away what demos left on a running service: disables their providers and apps, and asks for the deletion of
 * their veterans, with everything shared. The demo provider of `npm start` stays.
 */
export const cleanUp = Effect.fn("cleanUp")(function*<E, R>({ adminSecret, baseUrl, say }: {
  readonly baseUrl: string
  readonly adminSecret: Redacted.Redacted
  readonly say: (text: string) => Effect.Effect<void, E, R>
}) {
  const { admin, oauthClients } = yield* apiClient(baseUrl, { adminSecret })
  const apps = yield* all((query) => oauthClients.clients({ query }))
  for (const { clientId, disabledAt, name, redirectUris } of apps) {
    const isSample = name === sampleApp.name && redirectUris.every((uri) => uri === sampleApp.redirectUri)
    if (!isSample || disabledAt !== null) continue
    yield* oauthClients.disable({ params: { clientId } })
    yield* say(`app ${clientId}: disabled`)
  }
  const providers = yield* all((query) => admin.providers({ query }))
  for (const { disabledAt, email, id } of providers) {
    if (!isOfDemo(email, "dr") || disabledAt !== null) continue
    yield* admin.disableProvider({ params: { providerId: id } })
    yield* say(`provider ${email}: disabled`)
  }
  const veterans = yield* all((query) => admin.veterans({ query }))
  for (const { email, id, vaPatientId } of veterans) {
    if (!isOfDemo(email, "eagle")) continue
    const asked = yield* admin.deletion({ params: { id } }).pipe(
      Effect.as(true),
      Effect.catchTag("NotFound", () => Effect.succeed(false))
    )
    if (asked) continue
    const { endsAt } = yield* admin.askDeletion({ params: { id }, payload: { reason: "left by npm run demo" } })
    yield* say(`veteran ${vaPatientId}: all sharing has ended, and the record goes at ${endsAt.toISOString()}`)
  }
})
