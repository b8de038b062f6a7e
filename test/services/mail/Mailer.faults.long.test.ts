import { ConfigProvider, Effect, Layer } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { Mailer } from "../../../src/services/mail/Mailer.ts"
import { html } from "../../../src/services/platform/Html.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { openDatabase, openFolder, used } from "../../support/App.ts"
import { openMailbox, openSilentServer } from "../../support/Mailbox.ts"
import { production } from "../../support/Production.ts"
import { refusedInProcess } from "../../support/RefusedStart.ts"

const folder = await openFolder()

const database = await openDatabase()

const file = async (text: string) => {
  const path = join(folder, `${Math.random()}.pem`)
  await writeFile(path, text)
  return path
}

const mail = { to: "canary@clinic.example", subject: "A subject", text: "text", html: html`<p>text</p>` }

const said = (attempt: Effect.Effect<void, { readonly message: string }>) =>
  Effect.match(attempt, { onFailure: ({ message }) => message, onSuccess: () => "sent" })

/** Returns the outcome of `send`, and that of `verify`, which sends no mail. */
const failures = (SMTP_URL: string, SMTP_CA_CERT = "") =>
  Effect.runPromise(
    Mailer.use((mailer) => Effect.all([said(mailer.send(mail)), said(mailer.verify)], { concurrency: 2 })).pipe(
      Effect.provide(Mailer.layer.pipe(
        Layer.provide(Settings.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ APP_ENV: "test", SMTP_URL, SMTP_CA_CERT })))
      ))
    )
  )

const assertFails = async (why: string, url: string, authorityFile?: string) =>
  assert.deepStrictEqual(await failures(url, authorityFile), [`mail not sent: ${why}`, why])

describe("The certificate of a mail server", () => {
  test("from a private authority is trusted if SMTP_CA_CERT names that authority", async () => {
    for (const secure of ["smtps", "starttls"] as const) {
      const mailbox = await used(openMailbox({ secure }))
      await assertFails(
        "the server's certificate is not trusted: name the PEM file of its authority in SMTP_CA_CERT " +
          "(UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
        mailbox.url
      )
      assert.deepStrictEqual(await failures(mailbox.url, await file(mailbox.authority)), ["sent", "sent"])
      assert.lengthOf(mailbox.mails, 1)
    }
  })

  test("is refused, with the reason, if it is for another name or has expired", async () => {
    const other = await used(openMailbox({ secure: "starttls", name: "mail.example" }))
    await assertFails(
      "the server's certificate is for another name than SMTP_URL has (ERR_TLS_CERT_ALTNAME_INVALID)",
      other.url,
      await file(other.authority)
    )
    const over = await used(openMailbox({ secure: "smtps", expired: true }))
    await assertFails(
      "the server's certificate has expired (CERT_HAS_EXPIRED)",
      over.url,
      await file(over.authority)
    )
  })

  test("cannot be checked if SMTP_CA_CERT contains no certificate, so the start fails with one line", async () => {
    const says = "SMTP_CA_CERT must name a PEM file of certificates that can be read"
    for (const path of [await file("canary"), folder]) {
      const failure = await failures("smtps://localhost:1", path).catch((error: Error) => error.message)
      assert.strictEqual(failure, says)
    }
    const start = {
      ...production,
      DATABASE_APP_URL: database.url("runtime"),
      DATABASE_CA_CERT: await file(database.caCertificate),
      SMTP_CA_CERT: join(folder, "missing.pem")
    }
    assert.deepStrictEqual(await refusedInProcess(start), [says])
  })
})

describe("A mail server's failure is reported in words, without the recipient:", () => {
  test("a server that does not listen, one with an unknown name, and one that never answers", async () => {
    await assertFails("the server refuses connections (ECONNREFUSED)", `smtp://127.0.0.1:${await freePort()}`)
    const [unknown] = await failures("smtp://mail.invalid")
    assert.match(unknown!, /^mail not sent: the server's name (is not known|cannot be looked up( now)?) \(E\w+\)$/)
    const silent = await used(openSilentServer())
    await assertFails("the server does not answer in time (ETIMEDOUT)", silent.url)
  })

  test("a server without TLS on a TLS port, and one without STARTTLS", async () => {
    const plain = await used(openMailbox())
    await assertFails(
      "the server does not begin with TLS on this port: smtps:// is for port 465, smtp:// for others " +
        "(ERR_SSL_WRONG_VERSION_NUMBER)",
      plain.url.replace("smtp:", "smtps:")
    )
    await assertFails("the server offers no STARTTLS that works (ETLS)", `${plain.url}?requireTLS=true`)
  })

  test("a server that refuses or requires a password, or refuses the sender or the recipient", async () => {
    const closed = await used(openMailbox({ secure: "starttls", password: "right" }))
    const authority = await file(closed.authority)
    const as = (user: string) => closed.url.replace("//", `//${user}@`)
    await assertFails("the server refuses the user or the password of SMTP_URL (EAUTH)", as("me:canary"), authority)
    assert.deepStrictEqual(await failures(as("me:right"), authority), ["sent", "sent"])
    const unknown = "mail not sent: the server wants a user and a password, or TLS, before it takes mail (530)"
    assert.strictEqual((await failures(closed.url, authority))[0], unknown)
    const strict = await used(openMailbox({ refuseSender: true }))
    assert.strictEqual((await failures(strict.url))[0], "mail not sent: the server refuses the sender, MAIL_FROM (550)")
    const full = await used(openMailbox({ refuse: true }))
    assert.strictEqual((await failures(full.url))[0], "mail not sent: the server refuses the recipient (550)")
  })
})
