import { join } from "node:path"
import { SealBroken } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { errnoCode } from "../document/DiskErrors.ts"
import { openScratch } from "../document/ScratchFile.ts"
import { contentOf, type Draft, finishAll, openDraft, type StoredFile } from "../document/SealedFile.ts"
import type { StoreFolders } from "../document/StoreFolders.ts"
import type { SealingIdentity } from "../pdf/Signer.ts"
import type { Dialogue } from "../platform/Dialogue.ts"
import type { SealingKey } from "../platform/Envelope.ts"
import { attachmentNames } from "./AttachmentNames.ts"
import { makeBounds, ReleaseTooLarge } from "./ReleaseBounds.ts"
import { type ReleaseContent, writePreview, writeRelease } from "./ReleaseDocument.ts"
import { type ItemPage, readRecord } from "./ReleasedRecord.ts"
import { rehearse } from "./ReleaseRehearsal.ts"
import type { DraftAuthorization } from "./SignedAuthorization.ts"

export interface Assignment {
  readonly veteranId: VeteranId
  /** All keys that may have sealed an item. */
  readonly keys: ReadonlyArray<SealingKey>
  /** The files are written there under the names `storageKeys`. */
  readonly folders: StoreFolders
  readonly storageKeys: ReadonlyArray<string>
}

/** The files to make: three for a release, one for a preview. */
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

/** The work as it is sent. The process finds the documents under `paths` once the last page of items has come. */
export type SentWork = Work & { readonly paths: ReadonlyArray<string> }

export interface ReleaseFiles {
  readonly files: ReadonlyArray<StoredFile>
  readonly unopened: number
  /** See `ReleasedRecord`. */
  readonly isOfAnother: boolean
}

/** The files in the order of `storageKeys`, or why there are none: a message, the disk's error code, a broken seal. */
export type ReleaseOutcome =
  | ReleaseFiles
  | { readonly refused: string }
  | { readonly disk: string }
  | { readonly broken: true }

/** Requests the work, then each page of items. */
export type InputRequest = "more"

/** The messages that the process hears, in this order; null follows the last page. */
export type ReleaseInput = Assignment | SentWork | ItemPage | null

// A process may load this module before its work is there (Workers.ts).
await rehearse()

/** Makes the files of a release or a preview in a worker process (Workers.ts), with all input from messages. */
export default async function release(dialogue: Dialogue<ReleaseInput, InputRequest | ReleaseOutcome>) {
  dialogue.tell(await makeFiles(dialogue.hear() as Assignment, dialogue))
}

const makeFiles = async (
  { folders, keys, storageKeys, veteranId }: Assignment,
  dialogue: Dialogue<ReleaseInput, InputRequest | ReleaseOutcome>
): Promise<ReleaseOutcome> => {
  const drafts: Array<Draft> = []
  try {
    const scratch = await openScratch(folders)
    try {
      dialogue.tell("more")
      const work = dialogue.hear() as SentWork
      const authorization = "preview" in work ? work.preview : work.content.authorization
      const { documentId, information, signedAt, veteran } = authorization
      const documentBytes = information.documents.reduce((sum, { byteSize }) => sum + byteSize, 0)
      const reading = { veteranId, veteran, keys, range: information, count: makeBounds(documentBytes) }
      const { record: recordIn, unopened } = await readRecord(pagesOf(dialogue), scratch, reading)
      const record = recordIn({ documentId, signedAt, base: work.base })
      for (const key of storageKeys) drafts.push(await openDraft(folders, key))
      const [own, recipients, bundle] = drafts as [Draft, Draft, Draft]
      if ("preview" in work) {
        await writePreview(work.preview, record, into(own))
        return { files: [await own.end()], unopened, isOfAnother: record.isOfAnother }
      }
      for await (const bytes of record.bundle()) await bundle.add([bytes])
      const recordFile = await bundle.complete()
      const names = attachmentNames(information.documents)
      const documents = work.documents.map((file, index) => ({
        ...information.documents[index]!,
        name: names[index]!,
        bytes: () => contentOf(work.paths[index]!, file)
      }))
      const { content, identity } = work
      const bundled = {
        sha256: recordFile.sha256,
        bytes: contentOf(join(folders.temporary, recordFile.storageKey), recordFile)
      }
      const release = { ...content, identity, documents, record, bundled }
      await writeRelease(release, { own: into(own), recipients: into(recipients) })
      return { files: await finishAll(drafts), unopened, isOfAnother: record.isOfAnother }
    } finally {
      await scratch.close()
    }
  } catch (error) {
    for (const draft of drafts) await draft.discard()
    if (error instanceof ReleaseTooLarge) return { refused: error.message }
    if (error instanceof SealBroken) return { broken: true }
    const code = errnoCode(error)
    if (code !== undefined) return { disk: code }
    throw error
  }
}

const into = ({ add }: Draft) => (bytes: Uint8Array) => add([bytes])

/** Requests one page ahead, so that the database reads while this process works. */
const pagesOf = async function*({ hear, tell }: Dialogue<ReleaseInput, InputRequest | ReleaseOutcome>) {
  tell("more")
  for (;;) {
    const page = hear() as ItemPage | null
    if (page === null) return
    tell("more")
    yield page
  }
}
