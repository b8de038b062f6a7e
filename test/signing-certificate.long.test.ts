import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { generate } from "selfsigned"
import { assert, test } from "vitest"
import { download, release, sign } from "./http/release/Releases.ts"
import { ask } from "./services/pdf/PdfTools.ts"
import { openDatabase, openFolder } from "./support/App.ts"
import { asAdmin, call, signInVeteran } from "./support/Client.ts"
import { type Service, startService } from "./support/Service.ts"
import { until } from "./support/Until.ts"

const database = await openDatabase()

const folder = await openFolder()

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** Makes a certificate and a key. Returns the variables that name their files. */
const identity = async (
  name: string,
  keyType: "rsa" | "ec",
  notAfterDate = inDays(365),
  notBeforeDate = new Date()
) => {
  const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
    keyType,
    notBeforeDate,
    notAfterDate
  })
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

test("releases are sealed with the certificate that is configured", async () => {
  for (const keyType of ["rsa", "ec"] as const) {
    const service = await startService(database, await identity(`Clinic ${keyType}`, keyType))
    const seal = await sealed(service)
    assert.include(seal, `Signer Certificate Common Name: Clinic ${keyType}`)
    assert.include(seal, "Signature is Valid")
    await service.stop()
  }
})

test("outside production the first start makes a certificate, with a key that only the service can read", async () => {
  const service = await startService(database, { ROI_SIGNING_CERTIFICATE: undefined, ROI_SIGNING_KEY: undefined })
  const key = join(service.directory, ".data/signing/key.pem")
  assert.strictEqual((await stat(key)).mode & 0o777, 0o600)
  assert.include(await readFile(key, "utf8"), "PRIVATE KEY")
  assert.include(await sealed(service), "Veteran Records Sharing Service (development)")
  await service.stop()
})

/** The log's lines about the certificate, without their times. */
const linesOf = (service: Service) =>
  service.output().split("\n").filter((line) => line.includes("The certificate that seals")).map((line) => {
    const { level, message } = JSON.parse(line)
    return `${level} ${message}`
  })

const secondsLeft = async (service: Service) => {
  const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
  return Number(/^signing_certificate_expires_seconds (-?\d+)$/m.exec(text)![1])
}

const assertUnsigned = async (service: Service) => {
  const { headers, json, status } = await sign(service, await signInVeteran(service))
  assert.deepStrictEqual([status, json], [503, {
    error: "service_unavailable",
    message: "This server has no certificate to sign releases with: ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY.",
    requestId: headers.get("x-request-id")
  }])
}

test("with an expired certificate the service starts, logs the date, and does everything except sign", async () => {
  const end = inDays(-2)
  const service = await startService(database, await identity("ended", "ec", end, inDays(-9)))
  await assertUnsigned(service)
  assert.deepStrictEqual(linesOf(service), [
    `error The certificate that seals releases ended on ${dayOf(end)}: ` +
    "signing a release answers 503 until it is renewed and the service restarts"
  ])
  const left = await secondsLeft(service)
  assert.isBelow(left, -2 * 86_400)
  assert.isAbove(left, -2 * 86_400 - 600)
  const { headers } = await signInVeteran(service)
  const preview = await call(service, "POST", "/api/veteran/me/roi/preview", { headers, body: release() })
  assert.strictEqual(preview.status, 200)
  await service.stop()
})

test("with a certificate that is not valid yet nothing is signed, and the log says so", async () => {
  const begin = inDays(2)
  const service = await startService(database, await identity("early", "ec", inDays(365), begin))
  await assertUnsigned(service)
  assert.deepStrictEqual(linesOf(service), [
    `error The certificate that seals releases begins on ${dayOf(begin)}: until then signing a release answers 503`
  ])
  await service.stop()
})

test("a certificate that ends within 30 days signs, and the log and the metrics tell when it ends", async () => {
  const end = inDays(29)
  const service = await startService(database, await identity("ending", "ec", end))
  assert.strictEqual((await sign(service, await signInVeteran(service))).status, 201)
  assert.deepStrictEqual(linesOf(service), [
    `warn The certificate that seals releases ends on ${dayOf(end)}: ` +
    "from then on signing a release answers 503, so renew it and restart"
  ])
  const left = await secondsLeft(service)
  assert.isBelow(left, 29 * 86_400)
  assert.isAbove(left, 29 * 86_400 - 600)
  await service.stop()
})

test("a certificate that ends while the service runs signs nothing from then on, and the log says so", async () => {
  const service = await startService(database, await identity("short", "ec", new Date(Date.now() + 10_000)))
  await until("the certificate has ended", async () => await secondsLeft(service) < 0)
  await assertUnsigned(service)
  assert.match(linesOf(service).at(-1)!, /^error The certificate that seals releases ended on /)
  await service.stop()
})

const refusal = async (variables: Record<string, string>) =>
  startService(database, { ROI_SIGNING_CERTIFICATE: undefined, ROI_SIGNING_KEY: undefined, ...variables }).then(
    (service) => service.stop().then(() => "started"),
    ({ message }: Error) => message.replace(/^the service did not start:\n/, "").trim()
  )

test("an unusable certificate or key stops the start, with a line that names the variables but no value", async () => {
  const one = await identity("one", "ec")
  const other = await identity("other", "ec")
  const unusable =
    "ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must name PEM files: a certificate chain, leaf first, and the " +
    "leaf's private key, RSA of at least 2048 bits or P-256"
  const together = "ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must be set together or not at all"
  for (
    const [variables, line] of [
      [{ ROI_SIGNING_CERTIFICATE: one.ROI_SIGNING_CERTIFICATE }, together],
      [{ ROI_SIGNING_KEY: one.ROI_SIGNING_KEY }, together],
      [{ ...one, ROI_SIGNING_KEY: other.ROI_SIGNING_KEY }, unusable],
      [{ ...one, ROI_SIGNING_KEY: one.ROI_SIGNING_CERTIFICATE }, unusable],
      [{ ...one, ROI_SIGNING_CERTIFICATE: join(folder, "missing") }, unusable]
    ] as const
  ) {
    assert.strictEqual(await refusal(variables), line)
  }
})
