import { Effect, Stream } from "effect"
import { HttpClientResponse } from "effect/http"
import { useCallback, useEffect, useRef, useState } from "react"
import type { Document } from "../../../src/domain/Document.ts"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { type Outcome, run } from "../../shared/Call.ts"
import { type Session, useSession } from "../session/Session.ts"

type Bytes = Uint8Array<ArrayBuffer>

/** The state of a download, with the number of bytes received. */
export type Download = { readonly is: "pending"; readonly received: number } | Outcome<Bytes>

/** Loads a document into memory. Leaving the screen stops it. */
export const useDownload = (veteranId: VeteranId, document: Document) => {
  const { call } = useSession()
  const [download, setDownload] = useState<Download>({ is: "pending", received: 0 })
  const stop = useRef<() => void>(undefined)
  const again = useCallback(() => {
    stop.current?.()
    setDownload({ is: "pending", received: 0 })
    stop.current = run(
      contentOf(call, veteranId, document, (received) => setDownload({ is: "pending", received })),
      setDownload
    )
  }, [call, document, veteranId])
  useEffect(() => {
    again()
    return () => stop.current?.()
  }, [again])
  return { download, again }
}

/** Returns the content. Fails if more or fewer bytes arrive than were announced. */
const contentOf = (
  call: Session["call"],
  veteranId: VeteranId,
  { byteSize, id: documentId }: Document,
  onProgress: (received: number) => void
) =>
  call(({ patients }) =>
    Effect.gen(function*() {
      const answer = yield* patients.document({ params: { veteranId, documentId }, responseMode: "response-only" })
      const { stream } = yield* HttpClientResponse.filterStatusOk(answer)
      const bytes = new Uint8Array(byteSize)
      let received = 0
      yield* Stream.runForEach(stream, (chunk) =>
        Effect.try(() => {
          bytes.set(chunk, received)
          received += chunk.length
          onProgress(received)
        }))
      return received === byteSize ? bytes : yield* Effect.fail("The answer ended early.")
    })
  )
