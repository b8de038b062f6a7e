import { Effect, Redacted } from "effect"
import { useMemo, useState } from "react"
import type { ProviderAccess } from "../../src/domain/Provider.ts"
import { connect, connectWithCookie } from "../shared/Client.ts"
import { configuration } from "../shared/Transport.ts"
import { Page } from "../shared/ui/Page.tsx"
import { addressOf, useRoute } from "./Route.ts"
import { Document } from "./screens/Document.tsx"
import { Patients } from "./screens/Patients.tsx"
import { Record } from "./screens/Record.tsx"
import { SignIn } from "./screens/SignIn.tsx"
import { type Session, SessionContext } from "./Session.ts"

interface Access extends ProviderAccess {
  readonly api: string
}

/** Shows the sign-in or, once signed in, the screen of the address. */
export const SignedIn = () => {
  const [access, setAccess] = useState<Access>()
  const session = useMemo(() => access && sessionOf(access, () => setAccess(undefined)), [access])
  const signIn = (access: ProviderAccess) =>
    Effect.runPromise(configuration).then(({ api }) => setAccess({ ...access, api }))
  if (session === undefined) {
    return (
      <Page narrow>
        <SignIn onSignedIn={signIn} />
      </Page>
    )
  }
  return (
    <SessionContext value={session}>
      <Screen session={session} />
    </SessionContext>
  )
}

const Screen = ({ session }: { readonly session: Session }) => {
  const route = useRoute()
  const navigation = (
    <nav aria-label="Main">
      <a href={addressOf({ screen: "patients" })}>Patients</a>
      <span>{session.provider.displayName}, {session.provider.organization}</span>
      <button type="button" className="link" onClick={session.signOut}>Sign out</button>
    </nav>
  )
  return (
    <Page navigation={navigation}>
      {route.screen === "patients"
        ? <Patients />
        : route.screen === "record"
        ? <Record key={route.veteranId} veteranId={route.veteranId} />
        : <Document key={route.documentId} veteranId={route.veteranId} documentId={route.documentId} />}
    </Page>
  )
}

const sessionOf = ({ accessToken, api, provider }: Access, end: () => void): Session => {
  const providerToken = Redacted.make(accessToken)
  const client = connect({ providerToken })
  return {
    provider,
    call: (use) => Effect.flatMap(client, use),
    authorization: () => ({ api, authorization: `Bearer ${accessToken}` }),
    signOut: () => {
      Effect.runFork(
        Effect.flatMap(connectWithCookie({ providerToken }), ({ providerSession }) => providerSession.logout())
      )
      end()
    }
  }
}
