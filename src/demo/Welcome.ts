import { Console, Effect, Layer, Redacted } from "effect"
import { AppPages } from "../pages/AppPages.ts"
import { PortalPages } from "../pages/PortalPages.ts"
import { Settings } from "../services/platform/Settings.ts"
import { developmentSecret } from "../services/platform/VariableRules.ts"
import { demoProvider, demoVeteran } from "./DemoAccounts.ts"

/** In development on this machine, prints how to try the service with the demo accounts. Otherwise logs the port. */
export const Welcome = Layer.effectDiscard(Effect.gen(function*() {
  const settings = yield* Settings
  const { environment, exposed, logFormat, port } = settings
  yield* environment === "development" && !exposed && logFormat === "text"
    ? Console.log(welcome(settings, yield* AppPages, yield* PortalPages))
    : Effect.logInfo(`listening on port ${port}`)
}))

const welcome = (
  settings: Settings["Service"],
  app: AppPages["Service"],
  portal: PortalPages["Service"]
) => {
  const { database, sessionExchangeSecret, smtpUrl, uploadDirectory } = settings
  const url = `http://localhost:${settings.port}`
  const who = settings.sandboxVaPort === undefined ? "" : " (you are whom you choose at the sandbox VA)"
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

  Veteran's app    ${"at" in app ? app.at + who : app.not}
  Portal           ${"at" in portal ? `${portal.at} (a first start builds its pages, which takes seconds)` : portal.not}
    sign in as     ${demoProvider.email}
    password       ${demoProvider.password}
  Check a document ${settings.portalUrl}/verify
  Secure links     ${settings.portalUrl}/link#... (the demo makes one)
  API              ${url}${settings.apiDocs ? "/api/docs (documentation)" : "/api/openapi.json"}, ${url}/health
  Database         ${database.runtimeUrl === undefined ? "embedded PostgreSQL in .data/postgres" : "as configured"}
  Uploaded files   ${uploadDirectory}
  Mails            ${smtpUrl === undefined ? "written to .data/mail" : "sent by SMTP as configured"}
  Exchange secret  ${exchange ?? configured}
  Admin secret     ${admin ?? "as configured"}

Three things to try, each in another terminal:

  1. Watch a record travel from a veteran's phone to a provider's screen, then look at it in the portal${
    exchange === undefined || admin === undefined ? notShown : ""
  }:
     ${variables}npm run demo -- --url ${url}

  2. Sign in as the demo veteran, and use the accessToken as "Authorization: Bearer ..." on ${url}/api/veteran/me:
     curl -s ${url}/api/auth/veteran/session -H 'content-type: application/json' \\
       -H "x-veteran-session-exchange: ${
    exchange ?? "$VETERAN_SESSION_EXCHANGE_SECRET"
  }" -d '{"vaPatientId":"${demoVeteran.vaPatientId}"}'

  3. Sign in as the demo provider:
     curl -s ${url}/api/provider/login -H 'content-type: application/json' \\
       -d '{"email":"${demoProvider.email}","password":"${demoProvider.password}"}'

Stop with Ctrl-C.
`
}

const notShown = ",\n     with the secrets that you configured in the environment"

/** Returns the secret only if the service made it: a configured secret is never printed. */
const shownExchangeSecret = ({ sessionExchangeSecret, sessionExchangeSecretMade }: Settings["Service"]) =>
  sessionExchangeSecretMade && sessionExchangeSecret !== undefined ? Redacted.value(sessionExchangeSecret) : undefined

/** Returns the secret only if it is the development value, which the source code publishes. */
const shownAdminSecret = ({ internalAdminSecret }: Settings["Service"]) => {
  const published = developmentSecret("INTERNAL_ADMIN_SECRET")
  return Redacted.value(internalAdminSecret) === published ? published : undefined
}
