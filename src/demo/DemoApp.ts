import { Effect, type Redacted } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { apiClient } from "../client/ApiClient.ts"
import { approveInBrowser } from "../client/ConsentBrowser.ts"
import type { signIn } from "../client/VeteranClient.ts"
import { mailFolder } from "../services/mail/Mailer.ts"
import { sampleApp } from "./DemoLeavings.ts"
import { connectSampleApp } from "./SampleApp.ts"

const codeText = /Your code is (\d{4} \d{4})/

/**
 * Returns the code in the newest mail to this recipient that contains one. Newer mails without a code are skipped.
 * Returns undefined if the service does not write its mails to `mailFolder`.
 */
export const codeInMail = (recipient: string) => {
  const files = existsSync(mailFolder) ? readdirSync(mailFolder).sort() : []
  const mails = files.filter((name) => name.endsWith(".eml")).map((name) =>
    readFileSync(join(mailFolder, name), "utf8")
  )
  const mail = mails.findLast((text) => text.includes(`To: ${recipient}`) && codeText.test(text))
  return codeText.exec(mail ?? "")?.[1]
}

/** Waits up to ten seconds, because the mail may come after the HTTP response. */
const awaitedCode = async (recipient: string) => {
  for (let tries = 0; tries < 100 && codeInMail(recipient) === undefined; tries++) await setTimeout(100)
  return codeInMail(recipient)?.replace(" ", "")
}

const codeOf = (error: Error) => (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.name

interface Demo<E, R> {
  readonly baseUrl: string
  readonly adminSecret: Redacted.Redacted
  readonly email: string
  readonly phone: Effect.Success<ReturnType<typeof signIn>>
  readonly say: (text: string) => Effect.Effect<void, E, R>
}

/** The veteran gives a sample app access, lists their consents, and ends the access. */
export const connectDemoApp = Effect.fn("connectDemoApp")(
  function*<E, R>({ adminSecret, baseUrl, email, phone, say }: Demo<E, R>) {
    const { oauthClients } = yield* apiClient(baseUrl, { adminSecret })
    const { name, redirectUri } = sampleApp
    const client = yield* oauthClients.register({
      payload: {
        name,
        redirectUris: [redirectUri],
        scopes: ["launch/patient", "offline_access", "patient/*.rs"]
      }
    })
    yield* say(`client id: ${client.clientId}; redirect address: ${redirectUri}`)
    // The service's public URL may differ from `baseUrl`.
    const { issuer } = yield* (yield* apiClient(baseUrl)).oauthMetadata.metadataOfIssuer()
    const publicUrl = issuer.replace(/\/api\/oauth$/, "")
    const unreached = yield* Effect.promise(() => fetch(`${publicUrl}/health`).then(() => undefined, codeOf))
    if (unreached !== undefined) {
      return yield* say(`${publicUrl}, the address of OAUTH_ISSUER, does not answer from here (${unreached}): no app`)
    }
    const app = yield* Effect.promise(() =>
      connectSampleApp(
        publicUrl,
        { clientId: client.clientId, redirectUri },
        (url) => approveInBrowser(url, { email, code: () => awaitedCode(email) })
      )
    )
    if (app === undefined) {
      return yield* say(`the code was mailed to ${email}, whose mailbox is not on this machine: no app`)
    }
    yield* say(`the app may read: ${app.scope}`)
    for (const category of ["laboratory", "vital-signs"]) {
      yield* say(`${category}, newest first:`)
      for (const line of yield* Effect.promise(() => app.newest(category, 3))) yield* say(`  ${line}`)
    }
    const consents = yield* phone.api.consent.list({ params: { veteranId: "me" }, query: {} })
    const consent = consents.items.find((grant) => grant.app?.clientId === client.clientId)
    yield* say(`the veteran's consents: ${consent?.app?.name}, ${consent?.scope}, ${consent?.status}`)
    if (consent !== undefined) {
      yield* phone.api.consent.revoke({ params: { veteranId: "me", grantId: consent.id } })
    }
    const refused = yield* Effect.promise(() => app.read("Observation?_count=1"))
    yield* say(`once the veteran has ended it: ${refused.status} ${refused.body.issue?.[0]?.code}`)
    yield* say(`connect an app of yours: docs/app-author.md, with ${publicUrl}/api/fhir/R4`)
  }
)
