import { Effect } from "effect"
import { useCallback, useEffect, useRef, useState } from "react"
import type { Manifest } from "../../../src/domain/Manifest.ts"
import type { PreviewRequest } from "../../../src/domain/Release.ts"
import { type Outcome, run } from "../../shared/Call.ts"
import { me } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"

/** The pages that the veteran saw, of which request and of which record they are. */
export interface SeenPreview {
  readonly key: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The state of the record just before the pages were made. */
  readonly manifest: Manifest
}

export type Preview = { readonly is: "none" } | { readonly is: "pending" } | Outcome<SeenPreview>

/** Two requests with one key have the same pages. */
export const keyOf = (request: PreviewRequest) => JSON.stringify(request)

/** Makes the pages of an unsigned release. Pages that were made stay until others are asked for. */
export const usePreview = () => {
  const { call } = useSession()
  const [preview, setPreview] = useState<Preview>({ is: "none" })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const cancel = useCallback(() => {
    stop.current?.()
    setPreview({ is: "none" })
  }, [])
  const make = useCallback((request: PreviewRequest) => {
    stop.current?.()
    setPreview({ is: "pending" })
    stop.current = run(
      call(({ healthRecord, roi }) =>
        Effect.gen(function*() {
          const manifest = yield* healthRecord.manifest({ params: me })
          const bytes = yield* roi.preview({ params: me, payload: request })
          return { key: keyOf(request), bytes: new Uint8Array(bytes), manifest }
        })
      ),
      setPreview
    )
  }, [call])
  return { preview, make, cancel }
}

/** Whether the record has changed since the pages were made, as far as the release has it. */
export const hasChanged = (before: Manifest, now: Manifest, types: ReadonlyArray<string>) =>
  types.some((type) => before[type]?.lastFetchAt?.getTime() !== now[type]?.lastFetchAt?.getTime())
