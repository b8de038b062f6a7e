import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { until } from "../../support/Until.ts"
import { openVersionedBucket, type VersionedBucket } from "../../support/VersionedBucket.ts"
import { assertReads, bytesOf, failure, inFolder, none, sweep, type Test, write } from "./StoredFiles.ts"

let bucket: VersionedBucket

beforeAll(async () => {
  bucket = await openVersionedBucket()
})

afterAll(() => bucket.close())

beforeEach(() => bucket.reset())

/** Runs a test on a store in the bucket, on the real clock. */
const inBucket = <Eff extends Effect.Effect<any, any, FileStore>, A>(test: Test<Eff, A>) =>
  inFolder(test, bucket.environment)

/** Answers that the bucket has begun and not ended. */
const openAnswers = new Set<ServerResponse>()

/** Begins an answer and goes on for ever, `pause` milliseconds after each piece. */
const endless = (status: number, headers: Record<string, string>, piece: Buffer, pause: number) => {
  const sent = { bytes: 0 }
  const answer = (response: ServerResponse) => {
    openAnswers.add(response)
    let timer: NodeJS.Timeout | undefined
    response.on("error", () => {}).once("close", () => {
      clearTimeout(timer)
      openAnswers.delete(response)
    })
    response.writeHead(status, headers)
    const more = () => {
      sent.bytes += piece.length
      if (response.destroyed) return
      if (pause > 0) response.write(piece, () => timer = setTimeout(more, pause))
      else if (response.write(piece)) setImmediate(more)
      else response.once("drain", more)
    }
    more()
  }
  return { answer, sent }
}

const allEnd = Effect.promise(() => until("no answer is read any more", async () => openAnswers.size === 0))

const mebibyte = 1024 * 1024

const range = { "content-range": "bytes 0-65563/65564" }

const xmlType = { "content-type": "application/xml" }

describe("A bucket whose answer does not end", () => {
  it.live.each(
    [
      ["of a file", 206, range, (store: FileStore["Service"], file: any) => store.read(file)],
      ["of an error", 503, xmlType, (store: FileStore["Service"], file: any) => store.read(file)],
      ["to an upload", 403, xmlType, (store: FileStore["Service"]) => store.write(Stream.make(bytesOf(5)))]
    ] as const
  )(
    "%s, is not read further, and its connection is closed",
    ([, status, headers, ask]) =>
      inBucket(function*({ lines }) {
        const store = yield* FileStore
        const file = yield* write(bytesOf(5))
        const { answer, sent } = endless(status, headers, Buffer.alloc(mebibyte, " "), 0)
        bucket.fault = () => answer
        const refused = yield* Effect.flip(ask(store, file) as Effect.Effect<unknown, { readonly _tag: string }>)
        assert.include(["SealBroken", "ServiceUnavailable"], refused._tag)
        yield* allEnd
        // Some tries of at most 8 MiB each, and what was on its way.
        assert.isBelow(sent.bytes, 100 * mebibyte)
        bucket.fault = () => undefined
        yield* assertReads(file, bytesOf(5))
        assert.notMatch(lines.join(), /canary/)
      })
  )

  it.live("to a sweep, hides nothing", () =>
    inBucket(function*() {
      yield* write(bytesOf(5))
      const { answer, sent } = endless(200, xmlType, Buffer.alloc(mebibyte, " "), 0)
      bucket.fault = (_method, key, query) => key === "" && query.has("versions") ? answer : undefined
      assert.strictEqual(yield* sweep(none), 0)
      yield* allEnd
      assert.isBelow(sent.bytes, 100 * mebibyte)
      assert.lengthOf(bucket.keys("files/"), 1)
    }))

  it.live("and comes byte by byte, keeps no connection from later requests", () =>
    inBucket(function*() {
      const store = yield* FileStore
      const file = yield* write(bytesOf(60_000))
      const { answer } = endless(206, { "content-range": "bytes 0-60027/60028" }, Buffer.from("x"), 200)
      bucket.fault = () => answer
      // The SDK has 50 connections.
      const refused = yield* Effect.forEach(Array.from({ length: 60 }), () => Effect.flip(store.read(file)), {
        concurrency: "unbounded"
      })
      for (const { _tag } of refused) assert.include(["SealBroken", "ServiceUnavailable"], _tag)
      yield* allEnd
      bucket.fault = () => undefined
      yield* assertReads(file, bytesOf(60_000))
    }))
})

describe("A bucket that lies", () => {
  it.live("sends no request of ours to another host", () =>
    inBucket(function*() {
      const store = yield* FileStore
      const file = yield* write(bytesOf(5))
      const heard: Array<string> = []
      const other = createServer((request, response) => {
        heard.push(`${request.headers.authorization}`)
        response.end()
      })
      yield* Effect.promise(async () => once(other.listen(0, "127.0.0.1"), "listening"))
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/files/x`
      for (const status of [301, 302, 307, 308]) {
        bucket.fault = () => (response) => {
          response.writeHead(status, { location, "x-amz-bucket-region": "eu-west-1" })
          response.end(`<Error><Code>PermanentRedirect</Code><Endpoint>127.0.0.1</Endpoint></Error>`)
        }
        assert.strictEqual(yield* failure(store.read(file)), "ServiceUnavailable")
        assert.strictEqual(yield* failure(store.write(Stream.make(bytesOf(5)))), "ServiceUnavailable")
      }
      yield* Effect.promise(async () => once(other.close(), "close"))
      assert.deepStrictEqual(heard, [])
    }))

  it.live("and answers 200 with an error, has neither a file nor an upload for us", () =>
    inBucket(function*({ names }) {
      const store = yield* FileStore
      const file = yield* write(bytesOf(5))
      bucket.fault = (method) =>
        method === "PUT"
          ? undefined
          : (response) => void response.writeHead(200).end("<Error><Code>InternalError</Code></Error>")
      assert.strictEqual(yield* failure(store.read(file)), "SealBroken")
      assert.strictEqual(yield* failure(write(bytesOf(6 * mebibyte))), "ServiceUnavailable")
      assert.deepStrictEqual(yield* names("tmp"), [])
    }))

  it.live("about where a listing goes on, is not followed in a circle", () =>
    inBucket(function*({ lines }) {
      yield* write(bytesOf(5))
      let asked = 0
      bucket.fault = (_method, _key, query) =>
        query.has("versions")
          ? (response) =>
            void response.writeHead(200, xmlType).end(
              `<ListVersionsResult><IsTruncated>true</IsTruncated><NextKeyMarker>a</NextKeyMarker>` +
                `<NextVersionIdMarker>${asked++ % 3}</NextVersionIdMarker></ListVersionsResult>`
            )
          : undefined
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(lines, ["Error: upload bucket: ListingBroken"])
    }))

  it.live("gets no words into the log in place of a code", () =>
    inBucket(function*({ lines }) {
      const store = yield* FileStore
      const file = yield* write(bytesOf(5))
      for (const code of ["AKIA4CANARY7KEY2", file.storageKey, "canary words", "<b>canary</b>"]) {
        bucket.fault = () => [403, code]
        assert.strictEqual(yield* failure(store.read(file)), "ServiceUnavailable")
      }
      assert.notMatch(lines.join(), /canary|AKIA/i)
      assert.notInclude(lines.join(), file.storageKey)
    }))

  it.live("that asks to be slower, or says that our clock is wrong, is asked a few times only", () =>
    inBucket(function*({ lines }) {
      const store = yield* FileStore
      const file = yield* write(bytesOf(5))
      for (const fault of [[503, "SlowDown"], [403, "RequestTimeTooSkewed"]] as const) {
        bucket.fault = () => fault
        bucket.requests.length = 0
        assert.strictEqual(yield* failure(store.read(file)), "ServiceUnavailable")
        assert.isAtMost(bucket.requests.length, 6)
        assert.strictEqual(lines.pop(), `Error: upload bucket: ${fault[1]}`)
      }
      bucket.fault = () => undefined
      yield* assertReads(file, bytesOf(5))
    }))
})
