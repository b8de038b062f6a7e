import { Effect, Option } from "effect"
import { deserialize, serialize } from "node:v8"
import type { Document, StorageFull } from "../../domain/Document.ts"
import { NotFound, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import * as ExportRepository from "../../sql/account/ExportRepository.ts"
import type { ActorTransaction } from "../../sql/Actor.ts"
import type { EdgeError } from "../../sql/Connections.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as LeafRepository from "../../sql/ledger/LeafRepository.ts"
import type { PageQuery } from "../../sql/Page.ts"
import * as ProviderNoteRepository from "../../sql/patient/ProviderNoteRepository.ts"
import * as HealthRecordRepository from "../../sql/record/HealthRecordRepository.ts"
import { fromStored } from "../../sql/record/ManifestColumn.ts"
import * as SelfReportedRepository from "../../sql/record/SelfReportedRepository.ts"
import type { Sharings } from "../consent/Sharings.ts"
import { toDisk } from "../document/DiskErrors.ts"
import type { Documents } from "../document/Documents.ts"
import type { Piece, Scratch } from "../document/ScratchFile.ts"
import type { StoredFile } from "../document/SealedFile.ts"
import type { Disclosures } from "../ledger/Disclosures.ts"
import { csvHead, csvRows } from "../ledger/DisclosureTable.ts"
import type { Head, Proofs } from "../ledger/Proofs.ts"
import type { ProviderNotes } from "../patient/ProviderNotes.ts"
import type { SelfReportedEntries } from "../record/SelfReportedEntries.ts"

/** Each event is a file of the archive, whose list of files is in memory. The newest events are exported. */
export const maxProofs = 20_000

/** A sealed resource in the scratch file. */
export interface SpooledItem {
  readonly fhirId: string
  readonly isActive: boolean
  readonly sealed: Uint8Array
}

export interface SpooledType {
  readonly resourceType: string
  readonly pieces: Array<Piece>
  active: number
  inactive: number
}

/** What an export has, as of one moment. Records and texts are in the scratch file, sealed. */
export interface Spooled {
  readonly veteranId: VeteranId
  readonly callSign: string
  readonly moment: Date
  readonly manifest: Manifest
  readonly types: ReadonlyArray<SpooledType>
  readonly texts: ReadonlyArray<{ readonly name: string; readonly pieces: ReadonlyArray<Piece> }>
  readonly documents: ReadonlyArray<{ readonly document: Document; readonly file: StoredFile }>
  /** It is undefined if the service has no key to sign checkpoints with. */
  readonly head: Head | undefined
  readonly leaves: ReadonlyArray<Piece>
  readonly eventsWithoutProof: number
}

interface Sources {
  readonly disclosures: Disclosures["Service"]
  readonly documents: Documents["Service"]
  readonly entries: SelfReportedEntries["Service"]
  readonly notes: ProviderNotes["Service"]
  readonly proofs: Proofs["Service"]
  readonly sharings: Sharings["Service"]
}

const pageRows = 200

/**
 * Copies all that is held of a veteran to a scratch file, in a transaction that reads as of one moment. The resources
 * stay sealed, so that the transaction is short: the client's speed does not matter for it.
 */
export const spool = Effect.fnUntraced(function*(
  sources: Sources,
  scratch: Scratch,
  veteranId: VeteranId
): Effect.fn.Return<Spooled, NotFound | SealBroken | ServiceUnavailable | StorageFull | EdgeError, ActorTransaction> {
  const { disclosures, documents, entries, notes, proofs, sharings } = sources
  const owner = yield* ExportRepository.owner(veteranId)
  if (owner === undefined) return yield* new NotFound()
  const write = (bytes: Uint8Array) => toDisk(() => scratch.add(bytes))

  /** Reads a list to its end, in pages by id. */
  const pages = <Row extends { readonly id: string }, E, R, E2, R2>(
    read: (query: PageQuery & { readonly veteranId: VeteranId }) => Effect.Effect<ReadonlyArray<Row>, E, R>,
    use: (rows: ReadonlyArray<Row>) => Effect.Effect<unknown, E2, R2>
  ) =>
    Effect.gen(function*() {
      for (let after: string | undefined;;) {
        const rows = yield* read({ veteranId, after, limit: pageRows })
        if (rows.length > 0) yield* use(rows)
        if (rows.length < pageRows) return
        after = rows.at(-1)!.id
      }
    })

  /** Writes a JSON array of the items that `open` makes of a list's rows, one item a line. */
  const list = Effect.fnUntraced(function*<Row extends { readonly id: string }, E, R, E2, R2>(
    name: string,
    read: (query: PageQuery & { readonly veteranId: VeteranId }) => Effect.Effect<ReadonlyArray<Row>, E, R>,
    open: (row: Row) => Effect.Effect<unknown, E2, R2>
  ) {
    const pieces: Array<Piece> = []
    yield* pages(read, (rows) =>
      Effect.gen(function*() {
        const items = yield* Effect.forEach(rows, open)
        const text = items.map((item) => JSON.stringify(item)).join(",\n")
        pieces.push(yield* write(Buffer.from(`${pieces.length === 0 ? "[\n" : ",\n"}${text}`)))
      }))
    pieces.push(yield* write(Buffer.from(pieces.length === 0 ? "[]\n" : "\n]\n")))
    return { name, pieces }
  })

  const table = Effect.gen(function*() {
    const pieces = [yield* write(Buffer.from(csvHead))]
    yield* pages(
      disclosures.all,
      (events) => Effect.map(write(Buffer.from(csvRows(events))), (piece) => pieces.push(piece))
    )
    return { name: "disclosures.csv", pieces }
  })

  const texts = [
    yield* list("own-words.json", SelfReportedRepository.list, entries.decode),
    yield* list("notes.json", ProviderNoteRepository.list, notes.decode),
    yield* list("sharing.json", sharings.all, Effect.succeed),
    yield* table
  ]
  const files: Array<Spooled["documents"][number]> = []
  yield* pages(DocumentRepository.list, (rows) =>
    Effect.forEach(rows, (row) =>
      Effect.gen(function*() {
        files.push({ document: yield* documents.decode(row), file: yield* documents.fileOf(row) })
      })))

  const head = Option.getOrUndefined(yield* Effect.option(proofs.latest))
  const leaves: Array<Piece> = []
  let eventsWithoutProof = (yield* LeafRepository.countWithoutLeaf(veteranId)).events
  if (head !== undefined) {
    let proved = 0
    yield* pages(LeafRepository.listLeaves, (rows) => {
      const included = rows.filter(({ treeIndex }) => treeIndex < head.treeSize).slice(0, maxProofs - proved)
      proved += included.length
      eventsWithoutProof += rows.length - included.length
      return included.length === 0
        ? Effect.void
        : Effect.map(write(serialize(included)), (piece) => leaves.push(piece))
    })
  }
  const types = yield* spoolRecord(veteranId, write)
  yield* toDisk(scratch.flush)
  const { callSign, moment } = owner
  const manifest = fromStored(owner.fhirSyncManifest)
  return { veteranId, callSign, moment, manifest, types, texts, documents: files, head, leaves, eventsWithoutProof }
})

/** Copies the sealed resources, inactive ones too, in the order of type and id. A piece holds one type. */
const spoolRecord = Effect.fnUntraced(function*<E, R>(
  veteranId: VeteranId,
  write: (bytes: Uint8Array) => Effect.Effect<Piece, E, R>
) {
  const types: Array<SpooledType> = []
  for (let after: HealthRecordRepository.ItemPosition | undefined;;) {
    const rows = yield* HealthRecordRepository.list({
      veteranId,
      resourceType: undefined,
      includeInactive: true,
      after,
      limit: 1000
    })
    // A page ends at about 4 MB: the rows after that come without their resource.
    const whole = rows.flatMap(({ active, fhirId, rawCiphertext, resourceType }) =>
      rawCiphertext === null ? [] : [{ resourceType, item: { fhirId, isActive: active, sealed: rawCiphertext } }]
    )
    for (const [resourceType, group] of Map.groupBy(whole, (row) => row.resourceType)) {
      let type = types.at(-1)
      if (type?.resourceType !== resourceType) types.push(type = { resourceType, pieces: [], active: 0, inactive: 0 })
      const items: ReadonlyArray<SpooledItem> = group.map(({ item }) => item)
      for (const { isActive } of items) type[isActive ? "active" : "inactive"]++
      type.pieces.push(yield* write(serialize(items)))
    }
    const last = whole.at(-1)
    if (last === undefined || rows.length < 1000 && whole.length === rows.length) return types
    after = { resourceType: last.resourceType, fhirId: last.item.fhirId }
  }
})

/** Reads a piece that was written as a value. Only this process can write one: its key is in memory. */
export const readValue = async <A>(scratch: Scratch, piece: Piece): Promise<A> => deserialize(await scratch.read(piece))
