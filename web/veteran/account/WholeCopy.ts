import { Effect, Stream } from "effect"
import { HttpClientResponse } from "effect/http"
import { orProblem, Problem } from "../../shared/Problem.ts"
import type { Client } from "../AppClient.ts"

/**
 * Bytes that the page itself holds at most. What has arrived beyond that is in a blob, which a browser may move to the
 * disk.
 */
const pieceBytes = 4 * 1024 * 1024

/** Milliseconds between two reports of what has arrived. */
const reportMs = 250

/** The first bytes of a ZIP archive's end record, which is 22 bytes long if it has no comment. */
const endRecord = [0x50, 0x4b, 0x05, 0x06]

const cut = () => Problem.make({ error: "copy_cut" })

/**
 * Gets the copy of all data. It fails with `copy_cut` if the answer breaks off: then there is no file at all, and not a
 * part that looks like one.
 */
export const wholeCopy = ({ exports }: Client, onReceived: (bytes: number) => void): Effect.Effect<Blob, Problem> =>
  Effect.gen(function*() {
    const answer = yield* exports.make({ params: { veteranId: "me" }, responseMode: "response-only" })
    return yield* HttpClientResponse.filterStatusOk(answer)
  }).pipe(
    orProblem,
    Effect.flatMap(({ stream }) =>
      Effect.suspend(() => {
        const copy = gather(onReceived)
        return Stream.runForEach(stream, (bytes) => Effect.sync(() => copy.add(bytes))).pipe(
          Effect.flatMap(() => Effect.tryPromise(copy.end)),
          Effect.mapError(cut)
        )
      })
    ),
    Effect.filterOrFail((blob) => blob !== undefined, cut)
  )

const gather = (onReceived: (bytes: number) => void) => {
  const blobs: Array<Blob> = []
  let pieces: Array<Uint8Array<ArrayBuffer>> = []
  let [waiting, received, reportedAt] = [0, 0, 0]
  const pack = () => {
    blobs.push(new Blob(pieces))
    pieces = []
    waiting = 0
  }
  return {
    add: (bytes: Uint8Array) => {
      pieces.push(bytes as Uint8Array<ArrayBuffer>)
      waiting += bytes.length
      received += bytes.length
      if (waiting >= pieceBytes) pack()
      if (Date.now() - reportedAt < reportMs) return
      reportedAt = Date.now()
      onReceived(received)
    },
    /** Returns undefined if the archive has no end. */
    end: async () => {
      pack()
      const blob = new Blob(blobs)
      const last = new Uint8Array(await blob.slice(-22).arrayBuffer())
      return endRecord.every((byte, at) => last[at] === byte) ? blob : undefined
    }
  }
}
