import type { MessagePort } from "node:worker_threads"
import { SealBroken } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { errnoCode } from "../document/DiskErrors.ts"
import { openScratch } from "../document/ScratchFile.ts"
import { contentOf, type Draft, openDraft, type StoredFile } from "../document/SealedFile.ts"
import { storeFolders } from "../document/StoreFolders.ts"
import type { SealingIdentity } from "../pdf/Signer.ts"
import type { SealingKey } from "../platform/Envelope.ts"
import { attachmentNames } from "./AttachmentNames.ts"
import { makeBounds, TooMuch } from "./ReleaseBounds.ts"
import { type ReleaseContent, writePreview, writeRelease } from "./ReleaseDocument.ts"
import { type ItemPage, readRecord } from "./ReleasedRecord.ts"
import type { DraftAuthorization } from "./SignedAuthorization.ts"

/** A thread is given this before the record is read. */
export interface Asked {
  readonly veteranId: VeteranId
  /** All that may have sealed an item. */
  readonly keys: ReadonlyArray<SealingKey>
  /** UPLOAD_DIR, and the names of the files to write there. */
  readonly root: string
  readonly storageKeys: ReadonlyArray<string>
  /** It is asked for a `Work`, then for a page of items after the other; null: there are no more. */
  readonly port: MessagePort
}

/** What is to be made: the three files of a release, or the one of a preview. */
export type Work =
  & {
    /** See `BundleFrame`. */
    readonly base: string
  }
  & (
    | { readonly preview: DraftAuthorization }
    | {
      readonly content: ReleaseContent
      readonly identity: SealingIdentity
      readonly documents: ReadonlyArray<StoredFile>
    }
  )

/** The files in the order of their names, or why there are none: a sentence, the code of the disk, a file that is not intact. */
export type Made =
  | { readonly files: ReadonlyArray<StoredFile>; readonly unopened: number }
  | { readonly refused: string }
  | { readonly disk: string }
  | { readonly broken: true }

/** Makes the files of a release, or of a preview. It is the work of a thread (Workers.ts). */
export default async function release({ keys, port, root, storageKeys, veteranId }: Asked): Promise<Made> {
  const folders = storeFolders(root)
  const drafts: Array<Draft> = []
  try {
    const scratch = await openScratch(folders)
    try {
      const work = await ask<Work>(port)
      const authorization = "preview" in work ? work.preview : work.content.authorization
      const { documentId, information, signedAt } = authorization
      const documentBytes = information.documents.reduce((sum, { byteSize }) => sum + byteSize, 0)
      const reading = { veteranId, keys, range: information, count: makeBounds(documentBytes) }
      const { record: recordIn, unopened } = await readRecord(pagesOf(port), scratch, reading)
      const record = recordIn({ documentId, signedAt, base: work.base })
      for (const key of storageKeys) drafts.push(await openDraft(folders, key))
      const [own, recipients, bundle] = drafts as [Draft, Draft, Draft]
      if ("preview" in work) {
        await writePreview(work.preview, record, into(own))
        return { files: [await own.end()], unopened }
      }
      for await (const bytes of record.bundle()) await bundle.add([bytes])
      const recordFile = await bundle.finish()
      const names = attachmentNames(information.documents)
      const documents = work.documents.map((file, index) => ({
        ...information.documents[index]!,
        name: names[index]!,
        bytes: () => contentOf(folders.files, file)
      }))
      const { content, identity } = work
      const bundled = { sha256: recordFile.sha256, bytes: contentOf(folders.files, recordFile) }
      const release = { ...content, identity, documents, record, bundled }
      await writeRelease(release, { own: into(own), recipients: into(recipients) })
      return { files: [await own.finish(), await recipients.finish(), recordFile], unopened }
    } finally {
      await scratch.close()
    }
  } catch (error) {
    for (const draft of drafts) await draft.discard()
    if (error instanceof TooMuch) return { refused: error.message }
    if (error instanceof SealBroken) return { broken: true }
    const code = errnoCode(error)
    if (code !== undefined) return { disk: code }
    throw error
  }
}

const into = ({ add }: Draft) => (bytes: Uint8Array) => add([bytes])

const ask = <Answer>(port: MessagePort) =>
  new Promise<Answer>((resolve) => {
    port.once("message", resolve)
    port.postMessage(null)
  })

/** While one page is read the next is asked for, and no third. */
const pagesOf = async function*(port: MessagePort) {
  let next = ask<ItemPage | null>(port)
  for (;;) {
    const page = await next
    if (page === null) return
    next = ask(port)
    yield page
  }
}
