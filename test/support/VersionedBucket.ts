import { createHash, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listening } from "./Servers.ts"

/** What a bucket does instead: it answers a status with a code of S3, nothing, half a body, or what the test says. */
export type Fault = readonly [status: number, code: string] | "hangs" | "cut" | ((response: ServerResponse) => void)

interface Version {
  readonly id: string
  readonly at: Date
  /** A delete marker has none. */
  readonly bytes: Buffer | undefined
}

/**
 * An S3 bucket in memory, with versions, conditional writes, short pages and faults. The npm registry has no S3 server
 * with versions. What both servers do is tested on both (`test/services/document/FileStore.buckets.long.test.ts`).
 */
export const openVersionedBucket = async () => {
  const objects = new Map<string, Array<Version>>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const sound = {
    versioning: true,
    /** The rules in XML. */
    lifecycle: "",
    /** A listing says that it goes on, and begins anew. */
    stuck: false,
    /** Objects in one page of a listing. */
    pageSize: 1000,
    fault: (_method: string, _key: string, _query: URLSearchParams): Fault | undefined => undefined,
    /** What a GET of an object answers in place of its bytes. */
    lie: (_key: string, bytes: Buffer): Buffer => bytes,
    /** Whether listings show the object. */
    shows: (_key: string) => true,
    /** Methods, keys and queries in their order. */
    requests: [] as Array<string>
  }
  const bucket = { ...sound }

  const latest = (key: string) => objects.get(key)?.at(-1)?.bytes
  const put = (key: string, bytes: Buffer | undefined, at = new Date()) => {
    const version = { id: randomUUID(), at, bytes }
    objects.set(key, [...bucket.versioning ? objects.get(key) ?? [] : [], version])
    return version
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const url = new URL(request.url!, "http://localhost")
    const [, , ...parts] = url.pathname.split("/")
    const key = decodeURIComponent(parts.join("/"))
    const query = url.searchParams
    bucket.requests.push(`${request.method} ${key}?${query.toString()}`)
    const pieces: Array<Buffer> = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const end = (status: number, text: string | Buffer = "", headers: Record<string, string | number> = {}) =>
      response.writeHead(status, { "content-length": Buffer.byteLength(text), ...headers }).end(
        request.method === "HEAD" ? undefined : text
      )
    const refuse = (status: number, code: string) =>
      end(status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>canary message</Message></Error>`)
    const fault = bucket.fault(request.method!, key, query)
    if (fault === "hangs") return undefined
    if (typeof fault === "function") return fault(response)
    if (fault !== undefined && fault !== "cut") return refuse(fault[0], fault[1])
    const signed = request.headers["x-amz-content-sha256"]
    if (signed !== createHash("sha256").update(body).digest("hex")) return refuse(400, "XAmzContentSHA256Mismatch")

    if (key === "" && request.method === "GET") return end(200, listing(query))
    if (request.method === "POST" && query.has("uploads")) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return end(200, xml("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`))
    }
    const upload = uploads.get(query.get("uploadId") ?? "")
    if (query.has("uploadId") && upload === undefined) return refuse(404, "NoSuchUpload")
    if (upload !== undefined) {
      if (request.method === "PUT") {
        upload.set(Number(query.get("partNumber")), body)
        return end(200, "", { etag: `"${query.get("partNumber")}"` })
      }
      uploads.delete(query.get("uploadId")!)
      if (request.method === "DELETE") return end(204)
      put(key, Buffer.concat([...upload].sort(([a], [b]) => a - b).map(([, part]) => part)))
      return end(200, xml("CompleteMultipartUploadResult", `<Key>${key}</Key>`))
    }
    if (request.method === "PUT") {
      if (request.headers["if-none-match"] === "*" && latest(key) !== undefined) {
        return refuse(412, "PreconditionFailed")
      }
      put(key, body)
      return end(200, "", { etag: "\"whole\"" })
    }
    if (request.method === "DELETE") {
      const id = query.get("versionId")
      if (id !== null) objects.set(key, (objects.get(key) ?? []).filter((version) => version.id !== id))
      else if (bucket.versioning) put(key, undefined)
      else objects.delete(key)
      return end(204)
    }
    const stored = latest(key)
    if (stored === undefined) return refuse(404, "NoSuchKey")
    const bytes = bucket.lie(key, stored)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []
    if (from === undefined) return end(200, bytes)
    if (Number(from) >= bytes.length) return refuse(416, "InvalidRange")
    const last = Math.min(Number(to), bytes.length - 1)
    const piece = bytes.subarray(Number(from), last + 1)
    const range = { "content-range": `bytes ${from}-${last}/${bytes.length}` }
    if (fault !== "cut") return end(206, piece, range)
    response.writeHead(206, { "content-length": piece.length, ...range })
    return response.write(piece.subarray(0, piece.length / 2), () => response.destroy())
  }

  const listing = (query: URLSearchParams) => {
    const prefix = query.get("prefix") ?? ""
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && bucket.shows(key)).sort()
    if (query.has("versioning")) {
      return xml("VersioningConfiguration", bucket.versioning ? "<Status>Enabled</Status>" : "")
    }
    if (query.has("lifecycle")) return xml("LifecycleConfiguration", bucket.lifecycle)
    if (query.has("versions")) {
      const all = keys.flatMap((key) =>
        [...objects.get(key)!].reverse().map((version, index) => ({ key, version, isLatest: index === 0 }))
      )
      const after = query.get("key-marker")
      const first = after === null
        ? 0
        : all.findIndex(({ key, version }) => key === after && version.id === query.get("version-id-marker")) + 1
      const page = all.slice(first, first + bucket.pageSize)
      const more = bucket.stuck || first + page.length < all.length
      const { key, version } = page.at(-1) ?? { key: "", version: { id: "" } }
      return xml(
        "ListVersionsResult",
        `<IsTruncated>${more}</IsTruncated>` +
          (more
            ? `<NextKeyMarker>${key}</NextKeyMarker><NextVersionIdMarker>${version.id}</NextVersionIdMarker>`
            : "") +
          page.map(({ isLatest, key, version: { at, bytes, id } }) => {
            const tag = bytes === undefined ? "DeleteMarker" : "Version"
            return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>${isLatest}</IsLatest>` +
              `<LastModified>${at.toISOString()}</LastModified></${tag}>`
          }).join("")
      )
    }
    const after = query.get("start-after") ?? ""
    const left = keys.filter((key) => key > after && latest(key) !== undefined)
    const page = left.slice(0, bucket.pageSize)
    return xml(
      "ListBucketResult",
      `<IsTruncated>${left.length > page.length}</IsTruncated>` +
        page.map((key) =>
          `<Contents><Key>${key}</Key><Size>${latest(key)!.length}</Size>` +
          `<LastModified>${objects.get(key)!.at(-1)!.at.toISOString()}</LastModified></Contents>`
        ).join("")
    )
  }

  const { close, url } = await listening(createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  }))
  return Object.assign(bucket, {
    url,
    environment: {
      UPLOAD_URL: "s3://files",
      AWS_ENDPOINT_URL_S3: url,
      AWS_ACCESS_KEY_ID: "canary-access-key",
      AWS_SECRET_ACCESS_KEY: "canary-secret-key"
    },
    put,
    /** Makes the bucket empty and sound. */
    reset: () => {
      Object.assign(bucket, sound, { requests: [] })
      objects.clear()
      uploads.clear()
    },
    bytes: latest,
    /** Keys of the objects that are there, in order. */
    keys: (under = "") =>
      [...objects.keys()].filter((key) => key.startsWith(under) && latest(key) !== undefined).sort(),
    /** Uploads that were begun and neither completed nor aborted. */
    unfinished: () => uploads.size,
    close
  })
}

export type VersionedBucket = Awaited<ReturnType<typeof openVersionedBucket>>

const xml = (root: string, inner: string) => `<?xml version="1.0" encoding="UTF-8"?><${root}>${inner}</${root}>`
