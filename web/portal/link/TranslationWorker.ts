import { ccdaOf } from "../../../src/clinical/CcdaDocument.ts"
import { ccdaSource } from "../../../src/clinical/CcdaSource.ts"
import type { ReleaseFiles } from "./Translation.ts"

/** The thread that translates a release to C-CDA. It answers the document's bytes, or null if it cannot. */
addEventListener("message", ({ data }: MessageEvent<ReleaseFiles>) => {
  try {
    const encoder = new TextEncoder()
    const pieces: Array<Uint8Array<ArrayBuffer>> = []
    const source = ccdaSource(data.bundle, new TextDecoder().decode(data.authorization))
    for (const xml of ccdaOf(source)) pieces.push(encoder.encode(xml))
    postMessage(new Blob(pieces))
  } catch {
    postMessage(null)
  }
})
