import { Effect, Stream } from "effect"
import { isClosing, isOpening } from "../../clinical/JsonSpans.ts"
import { isAnother, type SignedPerson } from "../../clinical/SamePerson.ts"
import { makePace } from "../platform/Pace.ts"

/** A range of bytes; `end` is the index after its last byte. */
interface Range {
  readonly start: number
  readonly end: number
}

interface ReleasedPatient extends Range {
  readonly entry: Buffer
  readonly fullUrl: string
  /** The Patient has the name and birth date of the authorization, or none. */
  readonly isSigner: boolean
}

/** Where things are in the bytes of `record.fhir.json`, which a release made when it was signed. */
export interface Snapshot {
  /** The entries without the brackets around them. */
  readonly entries: Range
  /** The URLs of all entries whose text is not too long to look into. */
  readonly fullUrls: ReadonlySet<string>
  readonly patient: ReleasedPatient | undefined
}

/** A longer entry is not looked into, in bytes. Parsing it would hold the event loop. */
const maxEntry = 1024 * 1024

const [quote, backslash] = [0x22, 0x5c]

/** The depth inside an entry: in the bundle, its list and the entry itself. */
const entryDepth = 3

const named = Buffer.from("\"Patient\"")

/** Finds the entries of a bundle in its bytes, which come in order. */
export const makeSnapshotReader = (signer: SignedPerson) => {
  const patients: Array<ReleasedPatient> = []
  const fullUrls = new Set<string>()
  let [at, depth, isText, isEscaped, start] = [0, 0, false, false, 0]
  let kept: Array<Uint8Array> = []
  let length = 0
  let entries: { start: number; end: number } = { start: 0, end: 0 }

  const keep = (bytes: Uint8Array) => {
    length += bytes.length
    if (length <= maxEntry) kept.push(bytes)
  }

  const close = (end: number) => {
    if (length <= maxEntry) {
      const entry = Buffer.concat(kept)
      fullUrls.add(urlOf(entry))
      const patient = entry.includes(named) ? patientOf(entry, signer) : undefined
      if (patient !== undefined) patients.push({ start, end, entry, ...patient })
    }
    kept = []
    length = 0
  }

  return {
    add: (chunk: Uint8Array) => {
      let from = 0
      for (let index = 0; index < chunk.length; index++) {
        const byte = chunk[index]!
        if (isText) {
          if (isEscaped) isEscaped = false
          else if (byte === backslash) isEscaped = true
          else if (byte === quote) isText = false
        } else if (byte === quote) isText = true
        else if (isOpening(byte)) {
          depth++
          if (depth === entryDepth - 1) entries = { start: at + index + 1, end: at + index + 1 }
          if (depth === entryDepth) {
            start = at + index
            from = index
          }
        } else if (isClosing(byte)) {
          depth--
          if (depth === entryDepth - 1) {
            keep(chunk.subarray(from, index + 1))
            close(at + index + 1)
            entries.end = at + index + 1
          }
        }
      }
      if (depth >= entryDepth) keep(chunk.slice(from))
      at += chunk.length
    },
    end: (): Snapshot => ({
      entries,
      fullUrls,
      patient: patients.find(({ isSigner }) => isSigner) ?? patients[0]
    })
  }
}

/** The service wrote the entry, so its URL comes first and has no escapes. */
const urlOf = (entry: Buffer) => {
  const from = entry.indexOf(":") + 2
  return entry.toString("utf8", from, entry.indexOf(quote, from))
}

const patientOf = (entry: Buffer, signer: SignedPerson) => {
  const { fullUrl, resource } = JSON.parse(entry.toString()) as {
    readonly fullUrl: string
    readonly resource: { readonly resourceType: unknown }
  }
  if (resource.resourceType !== "Patient") return undefined
  return { fullUrl, isSigner: !isAnother(signer, JSON.stringify(resource)) }
}

export const readSnapshot = <E>(content: Stream.Stream<Uint8Array, E>, signer: SignedPerson) =>
  Effect.suspend(() => {
    const reader = makeSnapshotReader(signer)
    const pace = makePace()
    return Stream.runForEach(content, (chunk) => {
      reader.add(chunk)
      return pace(chunk.length)
    }).pipe(Effect.map(reader.end))
  })

/** The entries of the snapshot as they are, without one of them and the comma beside it. */
export const entriesWithout = <E>(
  content: Stream.Stream<Uint8Array, E>,
  entries: Range,
  left: Range | undefined
): { readonly size: number; readonly content: Stream.Stream<Uint8Array, E> } => {
  const isLast = left?.end === entries.end
  const isFirst = left?.start === entries.start
  const cut = left === undefined ? { start: entries.end, end: entries.end } : {
    start: isLast && !isFirst ? left.start - 1 : left.start,
    end: isLast ? left.end : left.end + 1
  }
  return {
    size: entries.end - entries.start - (cut.end - cut.start),
    content: Stream.suspend(() => {
      let at = 0
      const between = (chunk: Uint8Array, start: number, end: number) =>
        chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
      return Stream.map(content, (chunk) => {
        const pieces = [between(chunk, entries.start, cut.start), between(chunk, cut.end, entries.end)]
        at += chunk.length
        return Buffer.concat(pieces)
      })
    })
  }
}
