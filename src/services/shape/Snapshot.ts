import { Effect, Stream } from "effect"
import { isClosing, isOpening } from "../../clinical/JsonSpans.ts"
import { isAnother, type SignedPerson } from "../../clinical/SamePerson.ts"
import { makePace } from "../platform/Pace.ts"
import { makeSubjects, maxRead } from "../release/RecordSubject.ts"
import type { Piece } from "./BundlePieces.ts"

/** A range of bytes; `end` is the index after its last byte. */
interface Range {
  readonly start: number
  readonly end: number
}

interface ReleasedPatient extends Range {
  /** It is undefined if it is too long to be kept. */
  readonly entry: Buffer | undefined
  readonly fullUrl: string
  /** The Patient has the name and birth date of the authorization, or none. */
  readonly isSigner: boolean
}

/** Where things are in the bytes of `record.fhir.json`, which a release made when it was signed. */
export interface Snapshot {
  /** The entries without the brackets around them. */
  readonly entries: Range
  /** The URLs of all entries. */
  readonly fullUrls: ReadonlySet<string>
  readonly patient: ReleasedPatient | undefined
  /** The absolute URL of a Patient that every `subject` names, or every `patient` if there is no `subject`. */
  readonly subject: string | undefined
}

interface Entry {
  readonly fullUrl: string
  readonly resource: Record<string, unknown>
}

/** Only the beginning of a longer entry is kept, in bytes. Most Patients with a picture are shorter. */
const maxEntry = 1024 * 1024

const [quote, backslash] = [0x22, 0x5c]

/** The depth inside an entry: in the bundle, its list and the entry itself. */
const entryDepth = 3

const named = Buffer.from("\"Patient\"")

/** Finds the entries of a bundle in its bytes, which come in order. */
export const makeSnapshotReader = (signer: SignedPerson) => {
  let chosen: ReleasedPatient | undefined
  const fullUrls = new Set<string>()
  const subjects = makeSubjects()
  let [at, depth, isText, isEscaped, start] = [0, 0, false, false, 0]
  let kept: Array<Uint8Array> = []
  let length = 0
  let entries: { start: number; end: number } = { start: 0, end: 0 }

  const keep = (bytes: Uint8Array) => {
    if (length < maxEntry) kept.push(bytes.subarray(0, maxEntry - length))
    length += bytes.length
  }

  const close = (end: number) => {
    const entry = Buffer.concat(kept)
    fullUrls.add(urlOf(entry))
    if (length > maxRead) {
      const whole = length > maxEntry ? undefined : entry
      if (isLongPatient(entry)) chosen ??= { start, end, entry: whole, fullUrl: urlOf(entry), isSigner: false }
    } else if (subjects.isOpen() || entry.includes(named)) {
      const { fullUrl, resource } = JSON.parse(entry.toString()) as Entry
      subjects.add(resource)
      if (resource["resourceType"] === "Patient" && chosen?.isSigner !== true) {
        const { birthDate, name } = resource
        const isSigner = !isAnother(signer, JSON.stringify({ birthDate, name }))
        if (chosen === undefined || isSigner) chosen = { start, end, entry, fullUrl, isSigner }
      }
    }
    kept = []
    length = 0
  }

  return {
    add: (chunk: Uint8Array) => {
      let from = 0
      let index = 0
      while (index < chunk.length) {
        if (isText) {
          // This is most of a record, so that it is read with local variables only.
          let [near, escaped, inside] = [index, isEscaped, true]
          while (inside && near < chunk.length) {
            const byte = chunk[near++]
            if (escaped) escaped = false
            else if (byte === backslash) escaped = true
            else if (byte === quote) inside = false
          }
          index = near
          isEscaped = escaped
          isText = inside
          continue
        }
        const byte = chunk[index++]!
        if (byte === quote) isText = true
        else if (isOpening(byte)) {
          depth++
          if (depth === entryDepth - 1) entries = { start: at + index, end: at + index }
          if (depth === entryDepth) {
            from = index - 1
            start = at + from
          }
        } else if (isClosing(byte)) {
          depth--
          if (depth === entryDepth - 1) {
            keep(chunk.subarray(from, index))
            close(at + index)
            entries.end = at + index
          }
        }
      }
      if (depth >= entryDepth) keep(chunk.slice(from))
      at += chunk.length
    },
    end: (): Snapshot => ({
      entries,
      fullUrls,
      patient: chosen,
      subject: subjects.one()
    })
  }
}

/** The service wrote the entry, so its URL comes first and has no escapes. */
const urlOf = (entry: Buffer) => {
  const from = entry.indexOf(":") + 2
  return entry.toString("utf8", from, entry.indexOf(quote, from))
}

/** Whether an entry has a Patient: by its URL, or else by the member that FHIR's writers put first. */
const isLongPatient = (entry: Buffer) => {
  const url = urlOf(entry)
  if (!url.startsWith("urn:uuid:")) return url.split("/").at(-2) === "Patient"
  const from = entry.indexOf(urlEnd) + urlEnd.length
  return /^\s*\{\s*"resourceType"\s*:\s*"Patient"/.test(entry.toString("latin1", from, from + 100))
}

const urlEnd = Buffer.from("\"resource\":")

export const readSnapshot = <E>(content: Stream.Stream<Uint8Array, E>, signer: SignedPerson) =>
  Effect.suspend(() => {
    const reader = makeSnapshotReader(signer)
    const pace = makePace()
    return Stream.runForEach(content, (chunk) => {
      reader.add(chunk)
      return pace(chunk.length)
    }).pipe(Effect.map(reader.end))
  })

/** A range of the snapshot's bytes as they are. */
export const rangeOf = <E>(
  content: Stream.Stream<Uint8Array, E>,
  { end, start }: Range
): Exclude<Piece<E>, Buffer> => ({
  size: end - start,
  content: Stream.suspend(() => {
    let at = 0
    return Stream.map(content, (chunk) => {
      const bytes = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
      at += chunk.length
      return bytes
    }).pipe(Stream.filter(({ length }) => length > 0))
  })
})

/** The entries of the snapshot as they are, without one of them and the comma beside it. */
export const entriesWithout = <E>(
  content: Stream.Stream<Uint8Array, E>,
  entries: Range,
  left: Range | undefined
): Exclude<Piece<E>, Buffer> => {
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
