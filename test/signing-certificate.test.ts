import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { generate } from "selfsigned"
import { assert, test } from "vitest"
import { download, sign } from "./http/release/Releases.ts"
import { ask, needsTools, noTools } from "./services/pdf/Pdf.ts"
import { openDatabase, openFolder } from "./support/App.ts"
import { signInVeteran } from "./support/Client.ts"
import { type Service, startService } from "./support/Service.ts"

const database = await openDatabase()

const folder = await openFolder()

/** Makes a certificate for the name and a key, and answers the variables that name their files. */
const identity = async (name: string, keyType: "rsa" | "ec", notAfterDate = new Date(Date.now() + 86_400_000)) => {
  const { cert, private: key } = await generate([{ name: "commonName", value: name }], { keyType, notAfterDate })
  const [certificateFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  await writeFile(certificateFile, cert)
  await writeFile(keyFile, key)
  return { ROI_SIGNING_CERTIFICATE: certificateFile, ROI_SIGNING_KEY: keyFile }
}

const sealed = async (service: Service) => {
  const veteran = await signInVeteran(service)
  const answer = await sign(service, veteran)
  assert.strictEqual(answer.status, 201, answer.text)
  const file = await download(service, veteran, `/api/veteran/me/documents/${answer.json.document.id}/content`)
  return ask(file.bytes, "pdfsig", "-nocert")
}

test.skipIf(noTools)(`releases are sealed with the certificate that is configured${needsTools}`, async () => {
  for (const keyType of ["rsa", "ec"] as const) {
    const service = await startService(database, await identity(`Clinic ${keyType}`, keyType))
    const seal = await sealed(service)
    assert.include(seal, `Signer Certificate Common Name: Clinic ${keyType}`)
    assert.include(seal, "Signature is Valid")
    await service.stop()
  }
})

test.skipIf(noTools)(
  `outside production one is made at the first start, its key for the service alone${needsTools}`,
  async () => {
    const service = await startService(database, { ROI_SIGNING_CERTIFICATE: undefined, ROI_SIGNING_KEY: undefined })
    const key = join(service.directory, ".data/signing/key.pem")
    assert.strictEqual((await stat(key)).mode & 0o777, 0o600)
    assert.include(await readFile(key, "utf8"), "PRIVATE KEY")
    assert.include(await sealed(service), "Veteran Records Sharing Service (development)")
    await service.stop()
  }
)

const refusal = async (variables: Record<string, string>) =>
  startService(database, { ROI_SIGNING_CERTIFICATE: undefined, ROI_SIGNING_KEY: undefined, ...variables }).then(
    (service) => service.stop().then(() => "started"),
    ({ message }: Error) => message.replace(/^the service did not start:\n/, "").trim()
  )

test("what cannot be used stops the start with a line that names the variables and holds no value", async () => {
  const one = await identity("one", "ec")
  const other = await identity("other", "ec")
  const over = await identity("over", "ec", new Date(Date.now() - 1000))
  const unusable =
    "ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must name PEM files: a certificate chain, leaf first, that is " +
    "valid now, and the leaf's private key, RSA of at least 2048 bits or P-256"
  const together = "ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must be set together or not at all"
  for (
    const [variables, line] of [
      [{ ROI_SIGNING_CERTIFICATE: one.ROI_SIGNING_CERTIFICATE }, together],
      [{ ROI_SIGNING_KEY: one.ROI_SIGNING_KEY }, together],
      [{ ...one, ROI_SIGNING_KEY: other.ROI_SIGNING_KEY }, unusable],
      [{ ...one, ROI_SIGNING_KEY: one.ROI_SIGNING_CERTIFICATE }, unusable],
      [{ ...one, ROI_SIGNING_CERTIFICATE: join(folder, "missing") }, unusable],
      [over, unusable]
    ] as const
  ) {
    assert.strictEqual(await refusal(variables), line)
  }
})
