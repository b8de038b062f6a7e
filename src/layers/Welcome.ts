import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Providers } from "../services/account/Providers.ts"
import { Veterans } from "../services/account/Veterans.ts"
import { Settings } from "../services/platform/Settings.ts"
import { developmentSecret } from "../services/platform/VariableRules.ts"

const veteran = { vaPatientId: "demo-veteran", callSign: "Eagle One", email: "eagle.one@demo.example" }

const provider = {
  email: "dr.gray@demo.example",
  password: "a password for the demo only",
  displayName: "Dr. Ada Gray",
  organization: "Demo Clinic"
}

/** In development a veteran and a provider are there to try the service with, and it says how. Elsewhere one line says that it is up. */
export const Welcome = Layer.effectDiscard(Effect.gen(function*() {
  const settings = yield* Settings
  if (settings.environment !== "development") return yield* Effect.logInfo(`listening on port ${settings.port}`)
  yield* registerDemo
  yield* Console.log(welcome(settings))
}))

const welcome = (settings: Settings["Service"]) => {
  const { database, portalUrl, sessionExchangeSecret, smtpUrl, uploadDirectory } = settings
  const url = `http://localhost:${settings.port}`
  const [exchange, admin] = [shownExchangeSecret(settings), shownAdminSecret(settings)]
  const variables = [
    ...(exchange === undefined ? [] : [`VETERAN_SESSION_EXCHANGE_SECRET='${exchange}'`]),
    ...(admin === undefined ? [] : [`INTERNAL_ADMIN_SECRET='${admin}'`])
  ].map((assignment) => `${assignment} \\\n       `).join("")
  const configured = sessionExchangeSecret === undefined
    ? "not configured: veteran sign-in answers 503"
    : "as configured"
  return `
Veteran Records Sharing Service, for development on this machine alone

  API              ${url}/api/docs (documentation), ${url}/health
  Database         ${database.runtimeUrl === undefined ? "embedded PostgreSQL in .data/postgres" : "as configured"}
  Uploaded files   ${uploadDirectory}
  Mails            ${smtpUrl === undefined ? "written to .data/mail" : "sent by SMTP as configured"}
  Exchange secret  ${exchange ?? configured}
  Admin secret     ${admin ?? "as configured"}
  Secure links     ${portalUrl}/link#... (the portal's page for them is not shipped yet)

Four things to try, each in another terminal:

  1. Watch a record travel from a veteran's phone to a provider's screen:
     npm run demo

  2. Watch the same with this service${exchange === undefined || admin === undefined ? notShown : ""}:
     ${variables}npm run demo -- --url ${url}

  3. Sign in as the demo veteran, and use the accessToken as "Authorization: Bearer ..." on ${url}/api/veteran/me:
     curl -s ${url}/api/auth/veteran/session -H 'content-type: application/json' \\
       -H "x-veteran-session-exchange: ${
    exchange ?? "$VETERAN_SESSION_EXCHANGE_SECRET"
  }" -d '{"vaPatientId":"${veteran.vaPatientId}"}'

  4. Sign in as the demo provider:
     curl -s ${url}/api/provider/login -H 'content-type: application/json' \\
       -d '{"email":"${provider.email}","password":"${provider.password}"}'

Stop with Ctrl-C.
`
}

const notShown = ", with the secrets that you configured in the environment"

/** A secret that was configured is never printed. */
const shownExchangeSecret = ({ sessionExchangeSecret, sessionExchangeSecretMade }: Settings["Service"]) =>
  sessionExchangeSecretMade && sessionExchangeSecret !== undefined ? Redacted.value(sessionExchangeSecret) : undefined

/** The development value is published with the source. */
const shownAdminSecret = ({ internalAdminSecret }: Settings["Service"]) => {
  const published = developmentSecret("INTERNAL_ADMIN_SECRET")
  return Redacted.value(internalAdminSecret) === published ? published : undefined
}

const registerDemo = Effect.gen(function*() {
  const providers = yield* Providers
  const veterans = yield* Veterans
  const known = yield* veterans.findByVaPatientId(veteran.vaPatientId)
  if (Option.isSome(known)) return
  // Of two first starts at once only one registers.
  yield* Effect.ignore(veterans.register(veteran))
  yield* Effect.ignore(providers.register(provider))
})
