import { assert, describe, test } from "vitest"
import { operatorCode } from "../../support/Device.ts"
import { openBrowser } from "../Browser.ts"
import { openInspection } from "../pages/Inspection.ts"
import { button, heading } from "../Portal.ts"
import { openAuthenticator } from "./Touches.ts"
import { atConnect, atLocked, newUnpaired, newVeteran, openVeteranApp, signInAtVa } from "./VeteranApp.ts"

const app = await openVeteranApp()

const superuser = await app.database.connect("superuser")

const browser = await openBrowser()

describe("Every state of these screens passes axe, shows no text sideways, and can be used by keyboard:", () => {
  test("the first screen, and what it says of a sign-in that failed", async () => {
    const { context, look, lookAtWords, order, page } = await openInspection(browser)
    await page.goto(app.url)
    await atConnect(page)
    assert.deepStrictEqual(await order(), ["link Skip to main content", "button Connect to VA",
      "button Open with face or fingerprint", "DisclosureTriangle What we keep", "combobox Language, idioma"])
    await page.getByText("What we keep").click()
    await look("S1 first screen")
    await page.goto(`${app.url}/#invite=ABCDE12345`)
    await page.getByText("Connect first. Then you can share with the clinic.").waitFor()
    await look("S1 with a desk's code")
    await button(page, "Connect to VA").click()
    await page.getByRole("link", { name: "Do not connect" }).click()
    await page.getByText("You chose not to connect. Nothing was saved.").waitFor()
    await look("S1 denied")
    await page.goto(`${app.url}/?code=a&state=b`)
    await page.getByText("That sign-in did not start here. Start again.").waitFor()
    await lookAtWords("S1 planted")
    await context.setOffline(true)
    await page.getByText("You are offline.", { exact: true }).first().waitFor()
    await look("S1 offline")
  })

  test("the question of whose record it is", async () => {
    const { expect, look, order, page } = await openInspection(browser)
    expect(/40[19]/)
    await page.goto(app.url)
    await signInAtVa(page, await newUnpaired(app))
    await page.getByLabel("Code from the e-mail").waitFor()
    assert.deepStrictEqual(await order(), [
      "link Skip to main content",
      "textbox Code from the e-mail",
      "button Go on",
      "button I have a code on paper",
      "DisclosureTriangle No mail after 5 minutes?",
      "button Stop and go back",
      "combobox Language, idioma"
    ])
    await page.getByText("No mail after 5 minutes?").click()
    await look("S2")
    await page.getByLabel("Code from the e-mail").fill("12345678")
    await button(page, "Go on").click()
    await page.getByText("That code is not right. 4 tries left.").waitFor()
    await look("S2 wrong code")
    await button(page, "I have a code on paper").click()
    await button(page, "Go on").click()
    await page.getByText("Enter the 12 letters and numbers of the paper.").waitFor()
    await look("S2 code on paper")
  })

  test("the account, the warning, and the locked app", async () => {
    const { context, expect, look, lookAtWords, order, page } = await openInspection(browser)
    expect(/ERR_FAILED/)
    const veteran = await newVeteran(app)
    await page.goto(app.url)
    await signInAtVa(page, veteran)
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    await page.getByRole("link", { name: "Account" }).click()
    await page.getByText("This device", { exact: true }).waitFor()
    await look("S15 account")
    await button(page, "End all, this one too").click()
    await page.getByRole("dialog", { name: "Sign out everywhere?" }).waitFor()
    await look("S15 end all")
    await button(page, "Keep").click()
    await button(page, "Forget this device").click()
    await page.getByRole("dialog", { name: "Forget this device?" }).waitFor()
    await lookAtWords("S15 forget this device")
    await button(page, "Keep").click()
    await context.route("**/app/renew", (route) => route.abort())
    await page.reload()
    await heading(page, "Your records can't be opened now").waitFor()
    await look("The service is away")
    await context.unroute("**/app/renew")
    await button(page, "Try again").click()
    await heading(page, "Account").waitFor()
    await button(page, "Sign out").click()
    await atLocked(page)
    assert.deepStrictEqual(await order(), ["link Skip to main content", "button Open with face or fingerprint",
      "button Sign in at VA instead", "button Forget this device", "combobox Language, idioma"])
    await look("S3 locked")
  })

  test("a passkey, its offer, and the question whether it is the veteran", async () => {
    const { expect, look, lookAtWords, order, page } = await openInspection(browser)
    expect(/40[139]/)
    const person = await newUnpaired(app)
    await page.goto(app.url)
    await signInAtVa(page, person)
    await button(page, "I have a code on paper").click()
    await page.getByLabel("Code on paper").fill(await operatorCode(app.service, person.id))
    await button(page, "Go on").click()
    await page.getByRole("heading", { name: "Next time, use your face or fingerprint" }).waitFor()
    await look("S2 offer of a passkey")
    const authenticator = await openAuthenticator(page)
    await button(page, "Set up").click()
    await page.getByText("It is set up. Next time, use your face or fingerprint.").waitFor()
    await look("S2 passkey is set up")
    await page.getByRole("link", { name: "Account" }).click()
    await button(page, "Remove Chrome on Linux").waitFor()
    await look("S15 a passkey")
    await button(page, "Set up on this device").click()
    await page.getByText("This device is set up already.").waitFor()
    await look("S15 passkey is known")
    await superuser.query("update veteran_sessions set confirmed_at = now() - interval '6 minutes'")
    const key = await openAuthenticator(page, "usb")
    await authenticator.turn(false)
    await button(page, "Set up on this device").click()
    await page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor()
    assert.deepStrictEqual(await order(), ["button Use face or fingerprint", "link Sign in at VA in a new window",
      "button Cancel"])
    await look("Confirm")
    await key.turn(true)
    await button(page, "Use face or fingerprint").click()
    await page.getByText("This passkey is not known here any more. Sign in at VA.").waitFor()
    await look("Confirm by an unknown passkey")
    await button(page, "Cancel").click()
    await button(page, "Remove Chrome on Linux").click()
    await page.getByRole("dialog", { name: "Remove \"Chrome on Linux\"?" }).waitFor()
    await lookAtWords("S15 remove a passkey")
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await page.getByText("\"Chrome on Linux\" was removed.").waitFor()
    await page.goto(`${app.url}/#/confirm`)
    // A new window learns from the service that the sign-in no longer confirms.
    await page.reload()
    await page.getByRole("link", { name: "Do not connect" }).click()
    await page.getByText("You chose not to connect. Nothing was saved.").waitFor()
    await look("The window that confirms, denied")
    await page.goto(`${app.url}/#/account`)
    await button(page, "Sign out").click()
    await atLocked(page)
    await button(page, "Open with face or fingerprint").click()
    await page.getByText("This passkey is not known here any more. Sign in at VA.").waitFor()
    await look("S3 unknown passkey")
    await page.getByLabel("Language, idioma").selectOption("es")
    await heading(page, "Bloqueada").waitFor()
    await lookAtWords("S3 in Spanish")
  })

  test("the warning of an unused app", async () => {
    const { context, expect, look, page } = await openInspection(browser)
    expect(/ERR_FAILED/)
    const veteran = await newVeteran(app)
    await page.clock.install()
    await page.goto(app.url)
    await signInAtVa(page, veteran)
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    await context.route("**/app/renew", (route) => route.abort())
    await page.clock.runFor(14.2 * 60_000)
    await page.getByRole("dialog", { name: "Are you still there?" }).waitFor()
    await look("The warning")
  })
})
