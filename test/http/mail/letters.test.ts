import { randomUUID } from "node:crypto"
import { afterAll, assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { openMailbox, type ReceivedMail } from "../../support/Mailbox.ts"
import { until } from "../../support/Until.ts"
import { createLink, step } from "../link/Links.ts"
import { begin, registerApp, registerVeteran, submit } from "../oauth/Asking.ts"

const mailbox = await openMailbox()
afterAll(mailbox.close)

const { database, service } = await openApp({
  SMTP_URL: mailbox.url,
  MAIL_FROM: "no-reply@records.example",
  PROVIDER_PORTAL_URL: "https://records.example",
  PROVIDER_PORTAL_ORIGINS: "https://records.example"
})

const veteran = await signInVeteran(service)

const mailsTo = (email: string) => mailbox.mails.filter(({ recipients }) => recipients.includes(email))

const mailTo = (email: string, count = 1) => until(`mail ${count} for ${email}`, async () => mailsTo(email)[count - 1])

/** The words that a reader of the HTML part sees. */
const wordsOf = (html: string) =>
  html.replace(/^.*<body>/s, "").replaceAll(/<[^>]*>/g, " ").replaceAll("&#39;", "'").replaceAll("&quot;", "\"")
    .replaceAll("&amp;", "&").split(/\s+/).filter((word) => word !== "")

const linksOf = (html: string) =>
  Array.from(html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g), ([, href, text]) => [href!, text!] as const)

const assertLetter = (mail: ReceivedMail) => {
  assert.strictEqual(mail.headers.get("from"), "Veteran Records <no-reply@records.example>")
  assert.deepStrictEqual(wordsOf(mail.html), mail.text.split(/\s+/).filter((word) => word !== ""))
  assert.match(mail.html, /<html lang="en">.*<meta name="color-scheme" content="light dark">/s)
  assert.match(mail.html, /<div lang="en">.*<div lang="es">/s)
  assert.include(mail.text, "Veteran Records")
  assert.include(mail.text, "We never ask for a password.")
  assert.include(mail.text, "Nunca le pedimos una contraseña.")
  assert.include(mail.text, "Delete this mail.")
  assert.notMatch(mail.text, /Eagle|O.Hara|Sean|Condition|Medication|health|médic/i)
}

const invite = (recipientName: string, recipientEmail = `gray-${randomUUID()}@clinic.example`) =>
  createLink(service, veteran, { recipientName, recipientEmail, notifyRecipient: true, expiresInHours: 24 })
    .then((link) => ({ ...link, recipientEmail }))

describe("The mail that invites a recipient", () => {
  test("says who it is for, which service and site it is from, how long it is good, and shows its one link", async () => {
    const { recipientEmail, url } = await invite("Dr. Ada Gray")
    const mail = await mailTo(recipientEmail)
    assertLetter(mail)
    assert.deepStrictEqual(linksOf(mail.html), [[url, url]])
    assert.match(mail.text, /^En español: vea más abajo\.\n\nDr\. Ada Gray,\n\n/)
    assert.include(mail.text, "A veteran shares a document with you through Veteran Records (records.example).")
    assert.include(mail.text, `type records.example into your browser yourself`)
    const tomorrow = new Date(Date.now() + 86_400_000)
    const day = (locale: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "America/New_York" }).format(tomorrow)
    assert.match(mail.text, new RegExp(`Open it by ${day("en-US")} at \\d+:\\d\\d [AP]M Eastern Time:\n\n${url}\n`))
    assert.match(mail.text, new RegExp(`${day("es-US")} a las \\d+:\\d\\d [ap]\\.m\\. hora oriental\\.`))
  })

  test("greets by a name that looks like a number or an address, but is a name", async () => {
    for (const name of ["St. Mary's Clinic 2", "Dr. A. B. Gray"]) {
      const { recipientEmail } = await invite(name)
      assert.include((await mailTo(recipientEmail)).text, `\n\n${name},\n\n`)
    }
  })

  test.each([
    "See http://evil.example now",
    "evil.example",
    "Win a prize at www.evil",
    "eve@evil.example",
    "Gray\nBcc: eve",
    "＠evil．example visit evil．example",
    "evil。example",
    "Your VA benefits are frozen, evil. Call 1-800-555-0199 now and ask for Mr. Smith",
    "x".repeat(101)
  ])("greets without a name, if the name %j could carry a message of its sender", async (name) => {
    const { recipientEmail } = await invite(name)
    const { html, text } = await mailTo(recipientEmail)
    assert.match(text, /\n\nHello,\n\n.*\n\nHola:\n\n/s)
    assert.notMatch(`${html}${text}`, /evil|0199/)
  })
})

describe("The mail with a recipient's code", () => {
  test("shows the code once in large type, and the only place where to enter it", async () => {
    const { recipientEmail, token } = await invite("Dr. Ada Gray")
    assert.strictEqual((await step(service, "otp", { token })).status, 202)
    const mail = await mailTo(recipientEmail, 2)
    assertLetter(mail)
    assert.strictEqual(mail.headers.get("subject"), "Your one-time code")
    assert.match(mail.text, /\n\nDr\. Ada Gray,\n\nYour code is \d{4} \d{4}\n\n/)
    assert.lengthOf(mail.text.match(/\d{4} \d{4}/g)!, 1)
    assert.match(mail.html, /<b class="code">\d{4} \d{4}<\/b>/)
    assert.include(mail.text, "Enter it only at records.example,")
    assert.deepStrictEqual(linksOf(mail.html), [["https://records.example", "https://records.example"]])
    assert.include(mail.text, "It is good for 10 minutes and works once.")
    assert.include(mail.text, "Sirve durante 10 minutos y una sola vez.")
    assert.notInclude(mail.text, token)
  })
})

describe("The mail with a veteran's code", () => {
  test("names the app and the site, contains no link, and ends with the Veterans Crisis Line", async () => {
    const owner = await database.connect("owner")
    const app = await registerApp(owner)
    const { email } = await registerVeteran(service)
    await submit(service, "email", await begin(service, app), { email })
    const mail = await mailTo(email)
    assertLetter(mail)
    assert.deepStrictEqual(linksOf(mail.html), [])
    assert.include(mail.text, "the app \"Heart Diary\"")
    assert.include(mail.text, `Enter it only at ${new URL(service.url).host},`)
    assert.match(mail.text, /Veterans Crisis Line: dial 988, then press 1\n/)
    assert.match(mail.text, /marque el 988 y luego presione el 1\s*$/)
  })

  test("calls the app an app if the app's name could carry a message of its maker", async () => {
    const app = await registerApp(await database.connect("owner"), { name: "Call 1-800-555-0199" })
    const { email } = await registerVeteran(service)
    await submit(service, "email", await begin(service, app), { email })
    const { html, text } = await mailTo(email)
    assert.include(text, "It is for an app, which asks to read your records.")
    assert.include(text, "Es para una aplicación, que pide leer sus registros.")
    assert.notInclude(`${html}${text}`, "0199")
  })
})
