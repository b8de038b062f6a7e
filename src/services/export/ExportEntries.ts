import type { InclusionProof } from "../../domain/Proof.ts"
import type { ListedLeafRow } from "../../sql/ledger/LeafRepository.ts"
import type { Piece, Scratch } from "../document/ScratchFile.ts"
import type { StoredFile } from "../document/SealedFile.ts"
import type { Head } from "../ledger/Proofs.ts"
import type { ArchiveEntry } from "./ExportArchive.ts"
import { documentNames, typeNames } from "./ExportNames.ts"
import { type Findings, readme } from "./ExportReadme.ts"
import { readValue, type Spooled, type SpooledItem, type SpooledType } from "./ExportSpool.ts"

/** What opens the sealed parts of an export. */
export interface Openers {
  /** Returns undefined if the resource's seal is broken. */
  readonly item: (resourceType: string, item: SpooledItem) => Promise<Uint8Array | undefined>
  /** Returns undefined if the file is gone or not intact at its beginning. */
  readonly file: (file: StoredFile) => Promise<AsyncIterable<Uint8Array> | undefined>
  readonly proofs: (leaves: ReadonlyArray<ListedLeafRow>, head: Head) => Promise<ReadonlyArray<InclusionProof>>
}

/** A line of NDJSON is one resource, so a text with line breaks is a separate file, which has its exact text too. */
const lineFeed = 10

const carriageReturn = 13

const newline = Buffer.of(lineFeed)

const once = async function*(bytes: Uint8Array) {
  yield bytes
}

/** Yields the files of an export in their order, the README with what was found on the way as the last one. */
export const exportEntries = async function*(
  spooled: Spooled,
  scratch: Scratch,
  open: Openers,
  byOperator: boolean
): AsyncGenerator<ArchiveEntry> {
  const ownFiles: Array<string> = []
  const unreadable: Array<string> = []
  const names = documentNames(spooled.documents.map(({ document }) => document))
  const findings: Findings = { ownFiles, unreadable, documentNames: names }

  const itemsOf = async function*(
    { pieces, resourceType }: SpooledType,
    isActive: boolean,
    from: ReadonlyArray<Piece> = pieces
  ) {
    for (const piece of from) {
      for (const item of await readValue<ReadonlyArray<SpooledItem>>(scratch, piece)) {
        if (item.isActive === isActive) yield { piece, item, text: await open.item(resourceType, item) }
      }
    }
  }

  const ofType = async function*(type: SpooledType, fileName: string, isActive: boolean): AsyncGenerator<ArchiveEntry> {
    const folder = isActive ? "record" : "record-inactive"
    const apart: Array<{ readonly fhirId: string; readonly piece: Piece }> = []
    const lines = async function*() {
      for await (const { item, piece, text } of itemsOf(type, isActive)) {
        if (text === undefined) unreadable.push(`${type.resourceType}/${item.fhirId}`)
        else if (text.includes(lineFeed) || text.includes(carriageReturn)) apart.push({ fhirId: item.fhirId, piece })
        else {
          yield text
          yield newline
        }
      }
    }
    yield { name: `${folder}/${fileName}`, content: lines() }
    const own = fileName.slice(0, -".ndjson".length)
    for (const [index, { fhirId, piece }] of apart.entries()) {
      const name = `${folder}/${own}/${index + 1}.json`
      for await (const { item, text } of itemsOf(type, isActive, [piece])) {
        if (item.fhirId !== fhirId || text === undefined) continue
        ownFiles.push(name)
        yield { name, content: once(text) }
      }
    }
  }

  for (const [index, name] of typeNames(spooled.types.map(({ resourceType }) => resourceType)).entries()) {
    const type = spooled.types[index]!
    if (type.active > 0) yield* ofType(type, name, true)
    if (type.inactive > 0) yield* ofType(type, name, false)
  }
  for (const { name, pieces } of spooled.texts) yield { name, content: read(scratch, pieces) }
  for (const [index, { file }] of spooled.documents.entries()) {
    const content = await open.file(file)
    const name = `documents/${names[index]!}`
    if (content === undefined) unreadable.push(name)
    else yield { name, content, isCompressed: !/\.(txt|text|html?|xml)$/.test(name) }
  }
  if (spooled.head !== undefined) yield* proofEntries(spooled.head, spooled.leaves, scratch, open)
  yield { name: "README.txt", content: once(Buffer.from(readme(spooled, byOperator, findings))) }
}

const read = async function*(scratch: Scratch, pieces: ReadonlyArray<Piece>) {
  for (const piece of pieces) yield await scratch.read(piece)
}

/** The text of each proof is what `verify-proof` takes. */
const proofEntries = async function*(
  head: Head,
  pieces: ReadonlyArray<Piece>,
  scratch: Scratch,
  open: Openers
): AsyncGenerator<ArchiveEntry> {
  for (const piece of pieces) {
    const leaves = await readValue<ReadonlyArray<ListedLeafRow>>(scratch, piece)
    const proofs = await open.proofs(leaves, head)
    for (const [index, proof] of proofs.entries()) {
      yield {
        name: `proofs/${leaves[index]!.id}.txt`,
        content: once(Buffer.from(`${JSON.stringify(proof, null, 2)}\n`))
      }
    }
  }
}
