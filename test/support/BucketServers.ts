import S3rver from "@20minutes/s3rver"
import { Redacted } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openBucket } from "../../src/services/document/Bucket.ts"
import { openVersionedBucket } from "./VersionedBucket.ts"

const keys = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" }

/** Opens the npm registry's S3 server. It keeps no versions and knows no conditional writes. */
const openS3rver = async () => {
  const directory = await mkdtemp(join(tmpdir(), "vrss-s3rver-"))
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    // It takes the signature of requests for the bucket itself as wrong, but not those for objects.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: "files" }]
  })
  const { port } = await server.run()
  const environment = { UPLOAD_URL: "s3://files", AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`, ...keys }
  const close = async () => {
    await server.close()
    await rm(directory, { recursive: true, force: true })
  }
  return { environment, close }
}

/** Opens a server with the client that the service has for it. */
const withClient = async (
  opening: Promise<{ readonly environment: Environment; readonly close: () => Promise<void> }>
) => {
  const server = await opening
  const opened: Array<Awaited<ReturnType<typeof openBucket>>> = []
  const { environment } = server
  return {
    environment,
    open: async (prefix: string) => {
      const bucket = await openBucket({
        place: { bucket: "files", prefix: `${prefix}/` },
        endpoint: environment.AWS_ENDPOINT_URL_S3,
        region: "us-east-1",
        credentials: {
          accessKeyId: Redacted.make(environment.AWS_ACCESS_KEY_ID),
          secretAccessKey: Redacted.make(environment.AWS_SECRET_ACCESS_KEY),
          sessionToken: undefined
        }
      })
      opened.push(bucket)
      return bucket
    },
    close: async () => {
      for (const bucket of opened) bucket.close()
      await server.close()
    }
  }
}

export type Environment = Record<
  "UPLOAD_URL" | "AWS_ENDPOINT_URL_S3" | "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY",
  string
>

export type BucketServer = Awaited<ReturnType<typeof withClient>>

export const bucketServers = {
  s3rver: () => withClient(openS3rver()),
  "a server with versions": () => withClient(openVersionedBucket())
}
