import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Providers } from "../services/account/Providers.ts"
import { Veterans } from "../services/account/Veterans.ts"
import { Settings } from "../services/platform/Settings.ts"

const veteran = { vaPatientId: "demo-veteran", callSign: "Eagle One", email: "eagle.one@demo.example" }

const provider = {
  email: "dr.gray@demo.example",
  password: "a password for the demo only",
  displayName: "Dr. Ada Gray",
  organization: "Demo Clinic"
}

/** In development: a veteran and a provider to try the service with, and what to try. Elsewhere: one line that it is up. */
export const Welcome = Layer.effectDiscard(Effect.gen(function*() {
  const settings = yield* Settings
  const url = `http://localhost:${settings.port}`
  if (settings.environment !== "development") return yield* Effect.logInfo(`listening on port ${settings.port}`)
  yield* registerDemo
  const { database, sessionExchangeSecret, sessionExchangeSecretMade, smtpUrl, uploadDirectory } = settings
  const secret = sessionExchangeSecretMade
    ? Redacted.value(sessionExchangeSecret!)
    : "$VETERAN_SESSION_EXCHANGE_SECRET"
  yield* Console.log(`
Veteran Records Sharing Service, for development on this machine alone

  API              ${url}/api/docs (documentation), ${url}/health
  Database         ${database.runtimeUrl === undefined ? "embedded PostgreSQL in .data/postgres" : "as configured"}
  Uploaded files   ${uploadDirectory}
  Mails            ${smtpUrl === undefined ? "written to .data/mail" : "sent by SMTP as configured"}
  Exchange secret  ${sessionExchangeSecret === undefined ? "not configured: veteran sign-in answers 503" : secret}

Three things to try, each in another terminal:

  1. Watch a record travel from a veteran's phone to a provider's screen:
     npm run demo

  2. Sign in as the demo veteran, and use the accessToken as "Authorization: Bearer ..." on ${url}/api/veteran/me:
     curl -s ${url}/api/auth/veteran/session -H 'content-type: application/json' \\
       -H "x-veteran-session-exchange: ${secret}" -d '{"vaPatientId":"${veteran.vaPatientId}"}'

  3. Sign in as the demo provider:
     curl -s ${url}/api/provider/login -H 'content-type: application/json' \\
       -d '{"email":"${provider.email}","password":"${provider.password}"}'

Stop with Ctrl-C.
`)
}))

const registerDemo = Effect.gen(function*() {
  const providers = yield* Providers
  const veterans = yield* Veterans
  const known = yield* veterans.findByVaPatientId(veteran.vaPatientId)
  if (Option.isSome(known)) return
  // Two first starts at once: one of them registers.
  yield* Effect.ignore(veterans.register(veteran))
  yield* Effect.ignore(providers.register(provider))
})
