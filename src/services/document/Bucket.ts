import type * as S3 from "@aws-sdk/client-s3"
import type * as Storage from "@aws-sdk/lib-storage"
import { Redacted } from "effect"
import { createReadStream } from "node:fs"
import type { Readable } from "node:stream"
import { SealBroken } from "../../domain/Errors.ts"
import type { BucketSettings } from "../platform/BucketSettings.ts"
import { counters } from "../platform/Gauges.ts"
import { textOf } from "../platform/UploadUrl.ts"
import { boundAnswers, endingWith } from "./BucketAnswers.ts"
import { BucketRefused, refusalOf } from "./BucketErrors.ts"

/** An object, or the marker that hides a deleted one. */
export interface Listed {
  readonly key: string
  readonly writtenAt: number
  /** The version of the marker, if the object is deleted. */
  readonly marker: string | undefined
}

/** A bucket's operations under its prefix. Each is bounded in time, and throws `BucketRefused` or `SealBroken`. */
export type Bucket = ReturnType<typeof overClient>

/** Milliseconds for a small request with its repetitions, so that a request of ours is answered within ten seconds. */
const shortly = 4_000

/** A page of a listing, and the last step of an upload, may take a store longer. */
const patiently = 20_000

/** A store that moves fewer bytes in a millisecond counts as hanging. */
const slowest = 512

const mebibyte = 1024 * 1024

/** Amazon takes parts of 5 MiB to 5 GiB, and 10,000 of them. */
const partSize = (size: number) => Math.max(5 * mebibyte, Math.ceil(size / 10_000))

/** A listing that takes longer does not end. */
const longestListing = 60 * 60 * 1000

/** Small texts of the store itself are never longer. */
const maxText = 1024

/** Without a bucket, the metrics do not show it. */
let count: ReturnType<typeof counters<"timeout" | "refused" | "unavailable">> | undefined

const countFailure = ({ code, isMissing, isOutOfRange, status = 500 }: BucketRefused) => {
  if (isMissing || isOutOfRange || code === "AbortError") return
  count?.(code === "TimeoutError" ? "timeout" : status >= 500 ? "unavailable" : "refused")
}

/** The SDK is loaded only by a process with a bucket: it takes 20 MB of memory. */
export const openBucket = async ({ credentials, endpoint, place, region }: BucketSettings) => {
  const sdk = await import("@aws-sdk/client-s3")
  count ??= counters("upload_bucket_errors_total", {
    description: "Requests to the bucket of UPLOAD_URL that failed after their repetitions",
    label: "reason",
    values: ["timeout", "refused", "unavailable"]
  })
  const client = new sdk.S3Client({
    ...endpoint !== undefined && { endpoint, forcePathStyle: true },
    ...region !== undefined && { region },
    ...credentials !== undefined && {
      credentials: {
        accessKeyId: Redacted.value(credentials.accessKeyId),
        secretAccessKey: Redacted.value(credentials.secretAccessKey),
        ...credentials.sessionToken !== undefined && { sessionToken: Redacted.value(credentials.sessionToken) }
      }
    },
    // The seal shows changed bytes, and the signature covers each part's SHA-256. Other stores refuse Amazon's sums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 2_000, socketTimeout: 20_000 },
    // The SDK would log to the console.
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  })
  boundAnswers(client)
  return overClient(client, sdk, await import("@aws-sdk/lib-storage"), place)
}

const overClient = (
  client: S3.S3Client,
  sdk: typeof S3,
  { Upload }: typeof Storage,
  place: BucketSettings["place"]
) => {
  const Bucket = place.bucket
  const at = (key: string) => ({ Bucket, Key: `${place.prefix}${key}` })

  const read = (key: string, from: number, to: number, signal?: AbortSignal) =>
    within(shortly + (to - from) / slowest, signal, async (abortSignal) => {
      const asked = { ...at(key), Range: `bytes=${from}-${to - 1}` }
      const { Body, ContentRange = "" } = await client.send(new sdk.GetObjectCommand(asked), { abortSignal })
      const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange) ?? []
      const bytes = await bytesOf(Body as Readable, to - from)
      if (Number(first) !== from || Number(last) !== to - 1 || bytes === undefined) throw new SealBroken()
      return { bytes, size: Number(size) }
    }).catch((error: unknown) => {
      if (error instanceof BucketRefused && (error.isMissing || error.isOutOfRange)) throw new SealBroken()
      throw error
    })

  return {
    /** For people: s3://bucket/prefix. */
    name: textOf(place),
    /** Returns the bytes from `from` to `to - 1`, and the object's size. Throws `SealBroken` if it lacks them. */
    read,
    /** Returns the size of an object, or undefined if there is none. */
    sizeOf: (key: string) =>
      within(shortly, undefined, (abortSignal) => client.send(new sdk.HeadObjectCommand(at(key)), { abortSignal }))
        .then(({ ContentLength }) => ContentLength, unlessMissing),
    /** Returns a small object's text without the space around it, or undefined if there is none. */
    text: (key: string) =>
      within(shortly, undefined, async (abortSignal) => {
        const { Body } = await client.send(new sdk.GetObjectCommand(at(key)), { abortSignal })
        const bytes = await bytesOf(Body as Readable, maxText, "or less")
        return bytes?.toString().trim() ?? ""
      }).catch(unlessMissing),
    /** Writes a small object. Where the store can, it writes none over another's. */
    create: (key: string, text: string) =>
      within(shortly, undefined, async (abortSignal) => {
        await client.send(new sdk.PutObjectCommand({ ...at(key), Body: text, IfNoneMatch: "*" }), { abortSignal })
      }).catch((error: unknown) => {
        // Another process was first.
        if (!(error instanceof BucketRefused && [409, 412].includes(error.status ?? 0))) throw error
      }),
    /** Sends a file in parts, one after the other. The object appears when all parts are there. */
    upload: (key: string, path: string, size: number, signal?: AbortSignal) =>
      within(patiently + size / slowest, signal, async (abortSignal) => {
        const abortController = new AbortController()
        const content = createReadStream(path)
        const params = { ...at(key), Body: content, ContentType: "application/octet-stream" }
        const upload = new Upload({ client, params, partSize: partSize(size), queueSize: 1, abortController })
        abortSignal.addEventListener("abort", () => abortController.abort(), { once: true })
        try {
          await upload.done()
        } finally {
          content.destroy()
        }
      }),
    /** In a bucket with versions this writes a marker. An object that is not there counts as removed. */
    remove: (key: string) =>
      within(shortly, undefined, async (abortSignal) => {
        await client.send(new sdk.DeleteObjectCommand(at(key)), { abortSignal })
      }),
    /** Removes a marker, so that the object is there again. */
    restore: (key: string, marker: string) =>
      within(shortly, undefined, async (abortSignal) => {
        await client.send(new sdk.DeleteObjectCommand({ ...at(key), VersionId: marker }), { abortSignal })
      }),
    isVersioned: () =>
      within(shortly, undefined, async (abortSignal) => {
        const { Status } = await client.send(new sdk.GetBucketVersioningCommand({ Bucket }), { abortSignal })
        return Status === "Enabled"
      }),
    /** Returns the days after which parts of unfinished uploads and deleted versions go, where a rule says so. */
    lifecycle: () =>
      within(shortly, undefined, async (abortSignal) => {
        const asked = new sdk.GetBucketLifecycleConfigurationCommand({ Bucket })
        const rules = ((await client.send(asked, { abortSignal })).Rules ?? []).filter(({ Filter, Prefix, Status }) =>
          Status === "Enabled" && `${place.prefix}files/`.startsWith(Filter?.Prefix ?? Prefix ?? "")
        )
        return {
          unfinished: rules.find((rule) => rule.AbortIncompleteMultipartUpload)?.AbortIncompleteMultipartUpload
            ?.DaysAfterInitiation,
          deleted: rules.find((rule) => rule.NoncurrentVersionExpiration)?.NoncurrentVersionExpiration?.NoncurrentDays
        }
      }).catch((error: unknown) => {
        if (error instanceof BucketRefused && error.code === "NoSuchLifecycleConfiguration") {
          return { unfinished: undefined, deleted: undefined }
        }
        throw error
      }),
    /** Yields pages of objects in the order of their keys, without deleted ones. */
    objects: async function*(under: string): AsyncGenerator<ReadonlyArray<Listed>> {
      const end = Date.now() + longestListing
      for (let StartAfter: string | undefined;;) {
        const asked = new sdk.ListObjectsV2Command({ Bucket, Prefix: `${place.prefix}${under}`, StartAfter })
        const page = await within(patiently, undefined, (abortSignal) => client.send(asked, { abortSignal }))
        const found = page.Contents ?? []
        yield found.map(({ Key = "", LastModified }) => listed(`${place.prefix}${under}`, Key, LastModified))
        if (page.IsTruncated !== true) return
        const last = found.at(-1)?.Key
        // A listing that does not go on would be read for ever.
        if (last === undefined || last <= (StartAfter ?? "") || Date.now() > end) {
          throw new BucketRefused("ListingBroken")
        }
        StartAfter = last
      }
    },
    /** Yields pages of objects and of markers that hide deleted ones, in the order of their keys. */
    versions: async function*(under: string): AsyncGenerator<ReadonlyArray<Listed>> {
      const Prefix = `${place.prefix}${under}`
      const end = Date.now() + longestListing
      /** Versions of the object at which a page ended. */
      const seen = new Set<string | undefined>()
      let after: Pick<S3.ListObjectVersionsCommandOutput, "NextKeyMarker" | "NextVersionIdMarker"> = {}
      for (;;) {
        const asked = new sdk.ListObjectVersionsCommand({
          Bucket,
          Prefix,
          KeyMarker: after.NextKeyMarker,
          VersionIdMarker: after.NextVersionIdMarker
        })
        const page = await within(patiently, undefined, (abortSignal) => client.send(asked, { abortSignal }))
        const [present, deleted] = [page.Versions ?? [], page.DeleteMarkers ?? []]
        yield [
          ...present.filter(({ IsLatest }) => IsLatest === true)
            .map(({ Key = "", LastModified }) => listed(Prefix, Key, LastModified)),
          ...deleted.filter(({ IsLatest }) => IsLatest === true)
            .map(({ Key = "", LastModified, VersionId }) => listed(Prefix, Key, LastModified, VersionId))
        ]
        if (page.IsTruncated !== true) return
        const { NextKeyMarker = "", NextVersionIdMarker } = page
        const before = after.NextKeyMarker ?? ""
        if (NextKeyMarker !== before) seen.clear()
        if (NextKeyMarker < before || seen.has(NextVersionIdMarker) || Date.now() > end) {
          throw new BucketRefused("ListingBroken")
        }
        seen.add(NextVersionIdMarker)
        after = { NextKeyMarker, NextVersionIdMarker }
      }
    },
    close: () => client.destroy()
  }
}

const listed = (prefix: string, key: string, at: Date | undefined, marker?: string): Listed => ({
  key: key.startsWith(prefix) ? key.slice(prefix.length) : "",
  // An object without a time is taken for a new one, which stays.
  writtenAt: at?.getTime() ?? Infinity,
  marker
})

const unlessMissing = (error: unknown) => {
  if (error instanceof BucketRefused && error.isMissing) return undefined
  throw error
}

/** Reads a body of `length` bytes, or undefined for another one. A longer one is not read to its end. */
const bytesOf = async (body: Readable, length: number, may?: "or less") => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  try {
    for await (const piece of body) {
      pieces.push(piece as Uint8Array)
      size += (piece as Uint8Array).length
      if (size > length) return undefined
    }
  } finally {
    body.destroy()
  }
  return size === length || may === "or less" ? Buffer.concat(pieces) : undefined
}

/** Ends at the time limit even if the SDK does not hear that it shall. */
const within = async <A>(
  milliseconds: number,
  outer: AbortSignal | undefined,
  step: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const controller = new AbortController()
  const end = (code: string) => {
    reject(new BucketRefused(code))
    controller.abort()
  }
  const timer = setTimeout(() => end("TimeoutError"), milliseconds)
  const interrupted = () => end("AbortError")
  outer?.addEventListener("abort", interrupted, { once: true })
  try {
    return await Promise.race([endingWith(controller.signal, step), ended])
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal instanceof BucketRefused) countFailure(refusal)
    throw refusal
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener("abort", interrupted)
  }
}
