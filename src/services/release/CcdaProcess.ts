import { ccdaOf } from "../../clinical/CcdaDocument.ts"
import { textOf } from "../../clinical/JsonSpans.ts"
import { cutList } from "../../clinical/RecordCut.ts"
import type { RecordItem } from "../../clinical/Sections.ts"
import { warningTexts } from "../../clinical/SignedWarnings.ts"
import { SealBroken } from "../../domain/Errors.ts"
import { errnoCode } from "../document/DiskErrors.ts"
import { contentOf, type Draft, openDraft, type StoredFile } from "../document/SealedFile.ts"
import { storeFolders } from "../document/StoreFolders.ts"
import type { Dialogue } from "../platform/Dialogue.ts"
import type { SignedAuthorization } from "./SignedAuthorization.ts"

export interface CcdaWork {
  /** The folder UPLOAD_DIR. The document is written there under the name `storageKey`. */
  readonly root: string
  readonly storageKey: string
  /** The release's `record.fhir.json`. */
  readonly bundle: StoredFile
  readonly authorization: Pick<SignedAuthorization, "documentId" | "record" | "signedAt" | "veteran">
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

const translated = async ({ authorization, bundle, root, storageKey }: CcdaWork): Promise<CcdaOutcome> => {
  const folders = storeFolders(root)
  let draft: Draft | undefined
  try {
    const pieces: Array<Uint8Array> = []
    for await (const piece of contentOf(folders.files, bundle)) pieces.push(piece)
    const { documentId, record, signedAt, veteran } = authorization
    const source = { documentId, signedAt, veteran, items: itemsOf(Buffer.concat(pieces)) }
    draft = await openDraft(folders, storageKey)
    let length = 0
    let waiting = ""
    for (const xml of ccdaOf({ ...source, warnings: warningTexts(record, false) })) {
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

/** The items of a bundle that this service wrote (RecordBundle.ts), each with its exact text. */
const itemsOf = (bytes: Uint8Array): ReadonlyArray<RecordItem> => {
  const { answer, spans } = cutList(bytes)
  const { entry = [] } = answer as { readonly entry?: ReadonlyArray<{ readonly resource: number }> }
  return entry.map(({ resource }) => {
    const text = textOf(bytes, spans[resource]!)
    const { id, resourceType } = JSON.parse(text) as { readonly id: string; readonly resourceType: string }
    return { resourceType, fhirId: id, text }
  })
}
