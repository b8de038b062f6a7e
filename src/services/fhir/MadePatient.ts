import { Effect } from "effect"
import { members } from "../../clinical/Members.ts"
import type { AppSession } from "../../domain/AppSession.ts"
import { hasSubject, subjectMembers, subjectNames } from "../../domain/SubjectName.ts"
import { Actors } from "../../sql/Actor.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { inTurns } from "../platform/Pace.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { referenceHash } from "../record/ReferenceHashes.ts"
import { asApp } from "./AppProof.ts"
import { generatedPatient } from "./GeneratedPatient.ts"
import { criteriaOf, itemMatcher, type ListingPlan } from "./ListingPlan.ts"
import { readMembers } from "./ReadMembers.ts"
import type { Match } from "./SearchBundle.ts"

type State = Effect.Success<ReturnType<typeof GrantedItemRepository.state>>

/** The address of a Patient on any server, without a version: no `fullUrl` has one (FHIR R4, bdl-8). */
const absolutePatient = /^https?:\/\/[^\s?#]+\/Patient\/[A-Za-z0-9\-.]{1,64}$/

const read: ReadonlySet<string> = new Set([...subjectMembers, "reference"])

/** Whether a list is about the Patient, and none is stored that the app may see. */
export const lacksPatient = ({ allowed, listing, ofPatient, resourceTypes }: ListingPlan, { counts }: State): boolean =>
  listing.cursor === undefined && ofPatient && allowed("Patient") !== undefined &&
  (resourceTypes === null || resourceTypes.includes("Patient")) && (counts["Patient"] ?? 0) === 0

/** Makes the function that returns the generated Patient as an entry of a list that lacks one. */
export const makeMadePatient = Effect.gen(function*() {
  const actors = yield* Actors
  const healthRecord = yield* HealthRecord
  const referenceKey = (yield* Crypto).derivedKey("reference")

  /**
   * Returns the address that every `subject` names in what the app may see, or every `patient` if nothing has a
   * `subject`. The references stored beside each item answer this, so only one item is opened. Types that the app reads
   * in part are left out: which of their items it sees is known only after all are opened.
   */
  const addressOf = Effect.fnUntraced(function*({ veteranId }: AppSession, { allowed }: ListingPlan) {
    const { counts } = yield* GrantedItemRepository.state(veteranId, null)
    const resourceTypes = Object.keys(counts).filter((type) => allowed(type) === null)
    const hashOf = referenceHash(referenceKey, veteranId)
    for (const member of subjectMembers) {
      const first = hashOf(hasSubject(member))
      const [item] = yield* GrantedItemRepository.page({
        veteranId,
        resourceTypes,
        ids: undefined,
        refersTo: [first],
        stored: [],
        after: undefined,
        limit: 1,
        bytes: 1
      })
      if (item === undefined) continue
      const bytes = yield* healthRecord.open(veteranId, { ...item, rawCiphertext: item.rawCiphertext! })
      const subject = members<Record<string, unknown>>(yield* inTurns(readMembers(bytes, read)))[member]
      const { reference } = members<{ reference: unknown }>(subject)
      if (typeof reference !== "string" || !absolutePatient.test(reference)) return undefined
      const second = hashOf(subjectNames(member, reference)[1])
      const differs = yield* GrantedItemRepository.refersWithout({ veteranId, resourceTypes, first, second })
      return differs ? undefined : reference
    }
    return undefined
  })

  return Effect.fnUntraced(function*(app: AppSession, plan: ListingPlan, state: State) {
    if (!lacksPatient(plan, state)) return undefined
    const { veteranId } = app
    const { isEverything, listing } = plan
    const made = generatedPatient({ veteranId, callSign: state.callSign, stored: undefined })
    const bytes = Buffer.from(JSON.stringify(made))
    if (!isEverything) {
      const matches = (listing.ids?.includes(veteranId) ?? true) && listing.updated.length === 0 &&
        (yield* inTurns(itemMatcher(criteriaOf(plan, "Patient"))(bytes)))
      if (!matches) return undefined
    }
    const fullUrl = yield* actors.withActor(asApp(app))(addressOf(app, plan))
    return { resourceType: "Patient", fhirId: veteranId, bytes, fullUrl } satisfies Match
  })
})
