import { afterAll, assert, beforeEach, describe, test } from "vitest"
import { upload } from "./http/release/Releases.ts"
import { openOwnApp } from "./support/App.ts"
import { signInVeteran } from "./support/Client.ts"
import { file, found } from "./support/Deployment.ts"
import { startService } from "./support/Service.ts"
import { openVersionedBucket } from "./support/VersionedBucket.ts"

const bucket = await openVersionedBucket()

afterAll(bucket.close)

const rules = (days: number) =>
  `<Rule><ID>vrss</ID><Status>Enabled</Status><Filter><Prefix></Prefix></Filter>` +
  `<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>` +
  `<NoncurrentVersionExpiration><NoncurrentDays>${days}</NoncurrentDays></NoncurrentVersionExpiration></Rule>`

const { database, service: other } = await openOwnApp()

await other.stop()

const { UPLOAD_DIR, ...at } = { ...bucket.environment, UPLOAD_DIR: `${other.directory}-bucket` }

const service = await startService(database, { ...at, UPLOAD_DIR })

await upload(service, await signInVeteran(service), "a letter")

await service.stop()

const [stored] = bucket.keys("files/")

const environment = {
  APP_ENV: "test",
  UPLOAD_DIR,
  DATABASE_APP_URL: database.url("runtime"),
  MIGRATION_DATABASE_URL: database.url("owner"),
  DATABASE_CA_CERT: await file("bucket-database.pem", database.caCertificate),
  ...at
}

const findings = async (deep = true) =>
  (await found(environment, { deep })).filter((line) => /(upload bucket|stored files|database):/.test(line))

beforeEach(() => {
  bucket.fault = () => undefined
  bucket.shows = () => true
  bucket.versioning = true
  bucket.lifecycle = rules(7)
})

describe("The doctor, with a bucket", () => {
  test("finds nothing in a sound one, and leaves nothing there", async () => {
    const before = bucket.keys()
    assert.deepStrictEqual(await findings(), [])
    assert.deepStrictEqual(await findings(false), [])
    assert.deepStrictEqual(bucket.keys(), before)
  })

  test.each(
    [
      [[403, "InvalidAccessKeyId"], "The bucket of UPLOAD_URL does not know AWS_ACCESS_KEY_ID (InvalidAccessKeyId)."],
      [[404, "NoSuchBucket"], "The bucket of UPLOAD_URL does not exist (NoSuchBucket)."],
      [[403, "AccessDenied"], "The bucket of UPLOAD_URL refuses these credentials (AccessDenied)."],
      [[503, "SlowDown"], "The bucket of UPLOAD_URL is out of reach (SlowDown)."]
    ] as const
  )("says why it cannot be used: %s", async (fault, said) => {
    bucket.fault = () => fault
    assert.deepStrictEqual(await findings(), [`error upload bucket: ${said}`])
  })

  test.each([
    ["PUT", "", "write"],
    ["DELETE", "", "delete"],
    ["GET", "list-type", "list"],
    ["GET", "versions", "list versions of"]
  ])("names a right that is missing: %s %s", async (method, asked, what) => {
    bucket.fault = (of, key, query) =>
      of === method && (asked === "" ? key.startsWith("doctor-") : query.has(asked)) ? [403, "AccessDenied"] : undefined
    assert.deepStrictEqual(await findings(), [
      `error upload bucket: The doctor cannot ${what} an object in the bucket of UPLOAD_URL, which refuses these ` +
      "credentials (AccessDenied)."
    ])
  })

  test("warns of missing versions and rules", async () => {
    bucket.versioning = false
    bucket.lifecycle = ""
    assert.deepStrictEqual(await findings(), [
      "warning upload bucket: The bucket of UPLOAD_URL keeps no versions of objects.",
      "warning upload bucket: The bucket of UPLOAD_URL has no rule that removes the parts of unfinished uploads."
    ])
    bucket.versioning = true
    bucket.lifecycle = rules(2)
    assert.deepStrictEqual(await findings(), [
      "warning upload bucket: The bucket of UPLOAD_URL removes deleted versions after 2 days."
    ])
    bucket.fault = (_method, _key, query) => query.has("lifecycle") ? [403, "AccessDenied"] : undefined
    assert.deepStrictEqual(await findings(), [
      "warning upload bucket: The lifecycle rules of the bucket of UPLOAD_URL cannot be read."
    ])
  })

  test("finds a row whose file is not there, and a bucket of another database", async () => {
    bucket.put(stored!, undefined)
    assert.deepStrictEqual(await findings(), [
      "error stored files: Of 1 stored files that were looked for, 1 are not in the bucket of UPLOAD_URL."
    ])
    bucket.put("database-id", Buffer.from("0b9d1f6e-0000-4000-8000-000000000000 1\n"))
    const [finding, ...more] = await findings()
    assert.match(
      finding!,
      /^error stored files: UPLOAD_URL is of another database \(its file database-id says 0b9d1f6e-/
    )
    assert.deepStrictEqual(more, [])
  })
})
