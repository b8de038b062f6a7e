import { Effect } from "effect"
import { members } from "../../clinical/Members.ts"
import type { AppSession } from "../../domain/AppSession.ts"
import { namesIn, namesOf } from "../../domain/FhirReference.ts"
import { pageBytes } from "../../domain/Page.ts"
import { Actors } from "../../sql/Actor.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { inTurns, makePace } from "../platform/Pace.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { referenceHash } from "../record/ReferenceHashes.ts"
import { asApp, type Position } from "./AppProof.ts"
import { type Include, includedType } from "./Includes.ts"
import { readMembers } from "./ReadMembers.ts"
import type { Match } from "./SearchBundle.ts"
import { each } from "./SearchParameters.ts"

/** A page has at most this many included items, and about `pageBytes` of their bytes. */
const maxIncluded = 1000

/** At most this many bytes are decrypted to find them. */
const maxOpenedBytes = 32 * 1024 * 1024

/** Yields the names of all items to which the references in a member lead. */
function* namesAt(bytes: Uint8Array, member: string): Generator<void, ReadonlyArray<string>> {
  const found: Array<string> = []
  const resource = yield* readMembers(bytes, new Set([member, "reference"]))
  for (const value of each(members<Record<string, unknown>>(resource)[member])) {
    const { reference } = members<{ reference: unknown }>(value)
    if (typeof reference === "string") found.push(...namesIn(reference))
    yield
  }
  return found
}

type Wanted = Pick<GrantedItemRepository.Conditions, "ids" | "refersTo"> & {
  readonly isWanted: (bytes: Uint8Array) => Generator<void, boolean>
}

/** Makes the function that reads what the matches of a page include, as far as the app may see it. */
export const makeIncludedItems = Effect.gen(function*() {
  const actors = yield* Actors
  const healthRecord = yield* HealthRecord
  const referenceKey = (yield* Crypto).derivedKey("reference")

  const medications = Effect.fnUntraced(function*(matches: ReadonlyArray<Match>) {
    const pace = makePace()
    const ids = new Set<string>()
    for (const { bytes } of matches) {
      for (const name of yield* inTurns(namesAt(bytes, "medicationReference"))) {
        const [type, id] = name.split("/")
        // A URN names an id in lower case, and the item may have it in upper case.
        if (id === undefined) ids.add(name).add(name.toUpperCase())
        else if (type === includedType.medication) ids.add(id)
      }
      yield* pace(0)
    }
    return {
      ids: [...ids],
      isWanted: function*() {
        return true
      }
    } satisfies Wanted
  })

  const provenances = Effect.fnUntraced(function*({ veteranId }: AppSession, matches: ReadonlyArray<Match>) {
    const pace = makePace()
    const hashOf = referenceHash(referenceKey, veteranId)
    const names = new Set<string>()
    const hashes: Array<bigint> = []
    for (const { fhirId, fullUrl = "", resourceType } of matches) {
      for (const name of [...namesOf(resourceType, fhirId), ...namesIn(fullUrl)]) {
        names.add(name)
        hashes.push(hashOf(name))
      }
      yield* pace(0)
    }
    return {
      ids: undefined,
      refersTo: hashes,
      // An item may also refer to a match without being about it.
      *isWanted(bytes: Uint8Array) {
        return (yield* namesAt(bytes, "target")).some((name) => names.has(name))
      }
    } satisfies Wanted
  })

  return Effect.fnUntraced(
    function*(app: AppSession, includes: ReadonlyArray<Include>, matches: ReadonlyArray<Match>) {
      const { veteranId } = app
      const shown = new Set(matches.map(({ fhirId, resourceType }) => `${resourceType}/${fhirId}`))
      const items: Array<Match> = []
      const pace = makePace()
      let [bytesLeft, openedBytes] = [pageBytes, 0]

      /** Returns false if there is no room for all. */
      const read = Effect.fnUntraced(function*(resourceType: string, { isWanted, ...conditions }: Wanted) {
        let after: Position | undefined
        for (;;) {
          const rows = yield* actors.withActor(asApp(app))(GrantedItemRepository.page({
            veteranId,
            resourceTypes: [resourceType],
            ...conditions,
            stored: [],
            after,
            limit: maxIncluded,
            bytes: pageBytes
          }))
          const sealed = rows.filter(({ rawCiphertext }) => rawCiphertext !== null)
          for (const { fhirId, rawCiphertext } of sealed) {
            after = { resourceType, fhirId }
            if (shown.has(`${resourceType}/${fhirId}`)) continue
            if (openedBytes > maxOpenedBytes) return false
            const bytes = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext: rawCiphertext! })
            openedBytes += bytes.length
            yield* pace(bytes.length)
            if (!(yield* inTurns(isWanted(bytes)))) continue
            if (items.length === maxIncluded || bytesLeft <= 0) return false
            bytesLeft -= bytes.length
            items.push({ resourceType, fhirId, bytes })
          }
          if (sealed.length < maxIncluded && sealed.length === rows.length) return true
        }
      })

      let isWhole = true
      for (const include of matches.length === 0 ? [] : includes) {
        const wanted = yield* include === "medication" ? medications(matches) : provenances(app, matches)
        if (wanted.ids?.length !== 0) isWhole = (yield* read(includedType[include], wanted)) && isWhole
      }
      return { items, isWhole }
    }
  )
})
