import { Effect, Redacted } from "effect"
import { inspect } from "node:util"
import { assert, describe, test } from "vitest"
import { databases, load, problems } from "./Environments.ts"

const read = (environment: Record<string, string>) =>
  Effect.runSync(load({ APP_ENV: "test", ...databases, ...environment }))

const told = (environment: Record<string, string>) =>
  Effect.runSync(problems({ APP_ENV: "test", ...databases, ...environment }))

const keys = { AWS_ACCESS_KEY_ID: "canary-id", AWS_SECRET_ACCESS_KEY: "canary-secret" }

describe("The bucket of UPLOAD_URL", () => {
  test("is none without it, and then nothing is said about the AWS_* variables of other programs", () => {
    const settings = read({ AWS_ENDPOINT_URL_S3: "canary", AWS_REGION: "??", AWS_SESSION_TOKEN: "canary" })
    assert.isUndefined(settings.uploadBucket)
  })

  test.each([
    ["s3://records", "records", ""],
    ["s3://records/", "records", ""],
    ["s3://my.records-1/a/b_c//", "my.records-1", "a/b_c/"]
  ])("%s", (UPLOAD_URL, bucket, prefix) => {
    assert.deepStrictEqual(read({ UPLOAD_URL }).uploadBucket, {
      place: { bucket, prefix },
      endpoint: undefined,
      region: undefined,
      credentials: undefined
    })
  })

  test.each(["canary", "https://canary.example.org", "s3://", "s3://UPPER", "s3://a", "s3://records/../x",
    "s3://records/a b", "s3://records/a?x=y", "s3://user:canary@records"])("is refused: %s", (UPLOAD_URL) => {
      assert.deepStrictEqual(told({ UPLOAD_URL }), [
        "UPLOAD_URL must be s3://bucket or s3://bucket/prefix, of lowercase bucket and letters, digits, -, _ and . in the prefix"
      ])
    })

  test.each(["http://canary.example.org", "https://canary:x@s3.example.org", "https://s3.example.org/canary",
    "canary"])(
      "is not reached at %s",
      (AWS_ENDPOINT_URL_S3) => {
        assert.deepStrictEqual(told({ UPLOAD_URL: "s3://records", AWS_ENDPOINT_URL_S3 }), [
          "AWS_ENDPOINT_URL_S3 must be an https URL without path, query or user, or an http one on loopback"
        ])
      }
    )

  test("has both keys or none, and shows neither", () => {
    const UPLOAD_URL = "s3://records"
    assert.deepStrictEqual(told({ UPLOAD_URL, AWS_ACCESS_KEY_ID: "canary" }), [
      "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together or not at all"
    ])
    assert.deepStrictEqual(told({ UPLOAD_URL, AWS_SESSION_TOKEN: "canary" }), [
      "AWS_SESSION_TOKEN needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    ])
    const AWS_ENDPOINT_URL_S3 = "http://127.0.0.1:9000"
    const settings = read({ UPLOAD_URL, AWS_ENDPOINT_URL_S3, AWS_SESSION_TOKEN: "canary-token", ...keys })
    const { credentials, endpoint, region } = settings.uploadBucket!
    assert.deepStrictEqual([endpoint, region], ["http://127.0.0.1:9000", "us-east-1"])
    assert.strictEqual(Redacted.value(credentials!.secretAccessKey), "canary-secret")
    assert.notMatch(inspect(settings, { depth: 9 }) + JSON.stringify(settings.uploadBucket), /canary/)
  })
})
