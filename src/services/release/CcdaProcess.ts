import { ccdaOf } from "../../clinical/CcdaDocument.ts"
import { ccdaSource } from "../../clinical/CcdaSource.ts"
import { SealBroken } from "../../domain/Errors.ts"
import { errnoCode } from "../document/DiskErrors.ts"
import { contentOf, type Draft, openDraft, type StoredFile } from "../document/SealedFile.ts"
import type { StoreFolders } from "../document/StoreFolders.ts"
import type { Dialogue } from "../platform/Dialogue.ts"

export interface CcdaWork {
  /** The document is written to `tmp` there under the name `storageKey`. */
  readonly folders: StoreFolders
  readonly storageKey: string
  /** The release's `record.fhir.json`, and where it lies. */
  readonly bundle: StoredFile
  readonly path: string
  /** The release's `authorization.json`. */
  readonly authorization: string
}

/** The document, or why there is none: it is too large, the disk's error code, a broken seal. */
export type CcdaOutcome =
  | { readonly file: StoredFile }
  | { readonly tooLarge: true }
  | { readonly disk: string }
  | { readonly broken: true }

/** The largest document in characters. Coded entries make it larger than the bundle. */
const maxLength = 128 * 1024 * 1024

/** Blocks of this many characters are written at once. */
const block = 256 * 1024

/** Translates the record of a release in a worker process (Workers.ts). */
export default async function translate({ hear, tell }: Dialogue<CcdaWork, CcdaOutcome>) {
  tell(await translated(hear()))
}

const translated = async ({ authorization, bundle, folders, path, storageKey }: CcdaWork): Promise<CcdaOutcome> => {
  let draft: Draft | undefined
  try {
    const pieces: Array<Uint8Array> = []
    for await (const piece of contentOf(path, bundle)) pieces.push(piece)
    const source = ccdaSource(Buffer.concat(pieces.splice(0)), authorization)
    draft = await openDraft(folders, storageKey)
    let length = 0
    let waiting = ""
    for (const xml of ccdaOf(source)) {
      length += xml.length
      if (length > maxLength) {
        await draft.discard()
        return { tooLarge: true }
      }
      waiting += xml
      if (waiting.length < block) continue
      await draft.add([Buffer.from(waiting)])
      waiting = ""
    }
    await draft.add([Buffer.from(waiting)])
    return { file: await draft.end() }
  } catch (error) {
    await draft?.discard()
    if (error instanceof SealBroken) return { broken: true }
    const code = errnoCode(error)
    if (code !== undefined) return { disk: code }
    throw error
  }
}
