import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { assert, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { until } from "../../support/Until.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { openFile } from "../link/OpenFile.ts"
import { codeField, frameOf, heading } from "../link/Recipients.ts"
import { button } from "../Portal.ts"
import { newHands, tableOf, together } from "./Hands.ts"
import { scanned } from "./Qr.ts"
import { newVeteran, openVeteranApp, signInAtVa } from "./VeteranApp.ts"

const portalPort = await freePort()
const portal = `http://localhost:${portalPort}`
const app = await openVeteranApp({ PORTAL_PORT: `${portalPort}`, PROVIDER_PORTAL_URL: portal })

/**
 * What Bitwarden Send takes to give one file with the same protections. These are one mailbox that gets a code, one
 * view, an end, and no address of the sender's. Its help pages were counted (docs/speed.md).
 */
const bitwarden = {
  sender: {
    taps: ["Send", "New", "File", "Choose file", "the file", "Who can view", "Specific people", "Additional options",
      "Hide my email", "Save", "Share", "the app that carries it", "its send button"],
    fields: ["Name", "Emails", "Limit views", "the address in that app"]
  },
  recipient: { taps: ["the link", "Continue", "Continue", "Download"], fields: ["Email", "Verification code"] }
}

const mailsTo = (address: string) => app.mailbox.mails.filter(({ recipients }) => recipients.includes(address))

const shown = (page: Page, name: string) => () => heading(page, name)

test("A veteran shares by link at the front desk, and the clinic reads, saves and prints, in fewer taps than Bitwarden Send", async () => {
  const clinicEmail = "front.desk@harbor.example"
  const hands = newHands()
  const veteran = await newVeteran(app, { record: "syn-zandra428-ohara248" })
  const { page } = await openTab(await openBrowser(), { viewport: { width: 360, height: 740 }, isMobile: true })
  await page.goto(app.url)
  await signInAtVa(page, veteran)
  await page.getByRole("link", { name: "Get my record from VA" }).click()
  await page.getByText(/^Updated\./).waitFor()
  await page.getByRole("link", { name: "Home", exact: true }).click()
  await page.getByText("Nobody can see your record.").waitFor()

  hands.begin("Veteran: sign a release, from Home")
  await hands.tap(page.getByRole("link", { name: "Sign a release" }), shown(page, "Who gets it, and why?"))
  const fullName = page.getByLabel("My full name")
  await hands.wait(() => until("the record has told the name", async () => await fullName.inputValue() !== ""))
  const name = await fullName.inputValue()
  await hands.type(page.getByLabel("Their name"), "Harbor Clinic front desk")
  await hands.type(page.getByLabel("Their e-mail"), clinicEmail)
  if (!await page.getByLabel("Treatment").isChecked()) await hands.tap(page.getByLabel("Treatment"))
  for (const title of ["What does it carry?", "Until when?"]) {
    await hands.tap(button(page, "Go on").first(), shown(page, title))
  }
  await hands.tap(button(page, "Go on").first(), () => page.getByText(/^\d+ pages$/).waitFor())
  await hands.tap(button(page, "Go on").first(), shown(page, "Sign the release"))
  const incomplete = page.getByLabel(/^Share it as it is/)
  if (await incomplete.count() > 0) await hands.tap(incomplete)
  await hands.tap(page.getByLabel("I read the five statements"))
  await hands.tap(page.getByLabel("I sign electronically"))
  await hands.type(page.getByLabel("Type your full name"), name)
  await hands.tap(button(page, "Sign"), shown(page, "The release is signed"))

  hands.begin("Veteran: make a link, show it")
  await hands.tap(page.getByRole("link", { name: "Make a link" }), shown(page, "Make a link"))
  await hands.wait(() => page.getByText(`a code that we mail to ${clinicEmail}`).waitFor())
  const full = page.getByRole("dialog", { name: /^Point the clinic’s camera here/ })
  await hands.tap(button(page, "Show it at the front desk"), () => full.waitFor())
  const address = await scanned(page)
  assert.match(address!, new RegExp(`^${portal}/link#[\\w-]{45}$`))

  hands.begin("Clinic: from the camera to the record")
  const { page: clinic } = await openTab(await openBrowser(), { acceptDownloads: true })
  await hands.open(() => clinic.goto(address!), shown(clinic, "A health document for you"))
  await hands.tap(button(clinic, "E-mail me a code"), shown(clinic, "Enter your code"))
  const code = await until(
    "the code is in the mailbox",
    async () => /\b\d{4} \d{4}\b/.exec(mailsTo(clinicEmail).at(-1)?.text ?? "")?.[0]
  )
  await hands.type(codeField(clinic), code)
  const record = frameOf(clinic)
  await hands.tap(
    button(clinic, "Open the document"),
    () => record.getByRole("heading", { level: 1 }).first().waitFor()
  )

  hands.begin("Clinic: the sheets")
  const download = clinic.waitForEvent("download")
  await hands.tap(button(clinic, /^Save the PDF/), () => download)
  const { pagesWith } = await openFile(await readFile(await (await download).path()))
  assert.isAbove((await pagesWith(clinicEmail)).length, 0)

  hands.begin("Veteran: sees that it was read")
  await hands.tap(full.getByRole("button", { name: "Close" }), () => full.waitFor({ state: "hidden" }))
  // It stands below the code, and is renewed by itself.
  await hands.wait(() =>
    page.getByRole("list", { name: "What became of the link" }).getByRole("listitem").filter({ hasText: "Read" })
      .getByText(/[AP]M$/).waitFor()
  )

  const all = together(hands.parts)
  const [sender, recipient] = [bitwarden.sender, bitwarden.recipient]
  const others = [sender.taps, sender.fields, recipient.taps, recipient.fields].map(({ length }) => length)
  console.log([
    tableOf(hands.parts),
    `mails: ${mailsTo(clinicEmail).length} to the clinic`,
    `Bitwarden Send, without a signature: ${others[0]! + others[2]!} taps and ${others[1]! + others[3]!} fields`
  ].join("\n"))
  assert.lengthOf(mailsTo(clinicEmail), 1)
  assert.isBelow(all.taps, others[0]! + others[2]!)
  // Taps are counted, seconds depend on the machine.
  assert.isBelow(all.taps + all.fields, others.reduce((sum, count) => sum + count, 0))
})
