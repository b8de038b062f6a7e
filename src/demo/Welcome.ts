import { Console, Effect, Layer, Redacted } from "effect"
import { AppPages } from "../pages/AppPages.ts"
import { PortalPages } from "../pages/PortalPages.ts"
import { Settings } from "../services/platform/Settings.ts"
import { developmentSecret } from "../services/platform/VariableRules.ts"
import { demoProvider } from "./DemoAccounts.ts"

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
  Portal           ${portalLines(portal, settings.portalUrl)}
  API              ${url}${settings.apiDocs ? "/api/docs (documentation)" : "/api/openapi.json"}, ${url}/health
  Database         ${database.runtimeUrl === undefined ? "embedded PostgreSQL in .data/postgres" : "as configured"}
  Uploaded files   ${uploadDirectory}
  Mails            ${smtpUrl === undefined ? "written to .data/mail" : "sent by SMTP as configured"}
  Exchange secret  ${exchange ?? configured}
  Admin secret     ${admin ?? "as configured"}

${walk(app, portal)}A signed release, a secure link and an app: run the demo in another terminal${
    exchange === undefined || admin === undefined ? notShown : ""
  }:
     ${variables}npm run demo -- --url ${url}

Stop with Ctrl-C.
`
}

/** Links lead to the portal's address even where this process does not serve it. */
const portalLines = (portal: PortalPages["Service"], portalUrl: string) =>
  "at" in portal
    ? `${portal.at} (a first start builds its pages, which takes seconds)
    sign in as     ${demoProvider.email}
    password       ${demoProvider.password}
  Check a document ${portalUrl}/verify
  Secure links     ${portalUrl}/link#... (the demo makes one)`
    : `${portal.not}
  Secure links     lead to ${portalUrl}, which this process does not serve`

/** Leads a newcomer from the phone to the clinic. No secret has to be typed. */
const walk = (app: AppPages["Service"], portal: PortalPages["Service"]) =>
  "at" in app && "at" in portal
    ? `Walk from the phone to the clinic, in two windows:

  1. As the veteran, open ${app.at}: Connect to VA, Eagle One, Get my record from VA.
  2. Share my record with ${demoProvider.email}.
  3. As the clinic, open ${portal.at}: sign in as above, and open Eagle One.
  4. As the veteran again: "Who looked" shows it. Stop sharing, and the clinic loses the record.

`
    : ""

const notShown = ",\n     with the secrets that you configured in the environment"

/** Returns the secret only if the service made it: a configured secret is never printed. */
const shownExchangeSecret = ({ sessionExchangeSecret, sessionExchangeSecretMade }: Settings["Service"]) =>
  sessionExchangeSecretMade && sessionExchangeSecret !== undefined ? Redacted.value(sessionExchangeSecret) : undefined

/** Returns the secret only if it is the development value, which the source code publishes. */
const shownAdminSecret = ({ operatorSecrets }: Settings["Service"]) => {
  const published = developmentSecret("INTERNAL_ADMIN_SECRET")
  return operatorSecrets.some(({ secret }) => Redacted.value(secret) === published) ? published : undefined
}
