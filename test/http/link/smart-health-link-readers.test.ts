import { compactDecrypt } from "jose"
import { SHLInvalidPasscodeError, SHLManifestNotFoundError, SHLViewer } from "kill-the-clipboard"
import { assert, beforeEach, describe, test } from "vitest"
import { randomAddress, signInVeteran } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { signed } from "../release/Releases.ts"
import { type AppLink, createAppLink, mailedCode } from "./AppLinks.ts"
import { revokeLink, waitForNextCode } from "./Links.ts"

/** Readers of SMART Health Links that nobody here wrote, and the steps of one as its source has them. */

const { database, service } = await openJudgedApp()

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const documentId: string = (await signed(service, veteran)).document.id

let link: AppLink

beforeEach(async () => {
  link = await createAppLink(service, veteran, { documentId })
})

const shlink = () => link.url.split("#")[1]!

const from = (url: string, options: RequestInit = {}) =>
  fetch(url, {
    ...options,
    headers: { ...options.headers as Record<string, string>, "x-forwarded-for": randomAddress() }
  })

describe("The viewer of kill-the-clipboard", () => {
  const viewer = () => new SHLViewer({ shlinkURI: shlink(), fetch: from })

  const code = async () => {
    await waitForNextCode(superuser, link)
    const asked = await viewer().resolveSHL({ recipient: "Gray Clinic", passcode: "anything" }).catch((error) => error)
    assert.instanceOf(asked, SHLInvalidPasscodeError)
    return mailedCode(service, link)
  }

  const opened = async (embeddedLengthMax?: number) => {
    const { fhirResources } = await viewer().resolveSHL({
      recipient: "Gray Clinic",
      passcode: await code(),
      ...(embeddedLengthMax === undefined ? {} : { embeddedLengthMax })
    })
    return fhirResources as ReadonlyArray<any>
  }

  test("knows that a link needs a passcode and when it ends", () => {
    const { exp, flag, isDirectFile, label, requiresPasscode } = viewer().shl
    assert.deepStrictEqual([flag, label, isDirectFile, requiresPasscode], ["P", "Shared health record", false, true])
    assert.isAbove(exp!, Date.now() / 1000)
  })

  test.each([undefined, 0, 100_000_000])("opens the bundle with embeddedLengthMax %s", async (embeddedLengthMax) => {
    const resources = await opened(embeddedLengthMax)
    assert.lengthOf(resources, 1)
    assert.strictEqual(resources[0].resourceType, "Bundle")
    assert.include(resources[0].entry.map(({ resource }: any) => resource.resourceType), "DocumentReference")
  })

  test("is told of a link that was revoked as of one that is not there", async () => {
    const passcode = await code()
    await revokeLink(service, veteran, link)
    const refused = await viewer().resolveSHL({ recipient: "Gray Clinic", passcode }).catch((error) => error)
    assert.instanceOf(refused, SHLManifestNotFoundError)
  })
})

test("The steps of jmandel's viewer open the bundle: payload, manifest, 401 with remaining attempts, file", async () => {
  const payload = JSON.parse(Buffer.from(shlink().split("/")[1]!, "base64url").toString())
  const manifest = (passcode?: string) =>
    from(payload.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ recipient: "Viewer", embeddedLengthMax: 4096, ...(passcode && { passcode }) })
    })
  const refused = await manifest()
  assert.strictEqual(refused.status, 401)
  assert.strictEqual((await refused.json() as any).remainingAttempts, 15)
  const { files: [file] } = await (await manifest(await mailedCode(service, link))).json() as any
  const jwe = file.embedded ?? await (await from(file.location)).text()
  const { plaintext } = await compactDecrypt(jwe, Buffer.from(payload.key, "base64url"))
  assert.strictEqual(JSON.parse(new TextDecoder().decode(plaintext)).type, "collection")
})
