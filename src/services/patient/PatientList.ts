import { Context, Effect, Layer } from "effect"
import { personOf } from "../../clinical/Person.ts"
import { rowOf } from "../../clinical/Reading.ts"
import { alerts } from "../../domain/Alert.ts"
import { gapsOf } from "../../domain/Completeness.ts"
import type { InvalidRequest } from "../../domain/Errors.ts"
import type { ProviderId, VeteranId } from "../../domain/Id.ts"
import { pageBytes, type PageRequest } from "../../domain/Page.ts"
import type { ListedPerson, Patient, PatientPage } from "../../domain/Patient.ts"
import { Actors } from "../../sql/Actor.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as ConsentGrantRepository from "../../sql/consent/ConsentGrantRepository.ts"
import * as PatientRepository from "../../sql/patient/PatientRepository.ts"
import { fromStored } from "../../sql/record/ManifestColumn.ts"
import { logTrouble } from "../platform/Outage.ts"
import { makePace } from "../platform/Pace.ts"
import { Paging } from "../platform/Paging.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { onlyTypes } from "../record/VisibleManifest.ts"

/** Lists a provider's patients: who they are, how complete their records are, and whether something in them is new. */
export class PatientList extends Context.Service<PatientList, {
  /** Lists each active grant, or those of one veteran. */
  readonly list: (
    providerId: ProviderId,
    query: PageRequest & { readonly veteranId?: VeteranId | undefined }
  ) => Effect.Effect<typeof PatientPage.Type, InvalidRequest>
}>()("vrss/services/patient/PatientList") {
  static readonly layer = Layer.effect(
    PatientList,
    Effect.gen(function*() {
      const actors = yield* Actors
      const grants = ConsentGrantRepository.make(yield* SharedConnections)
      const healthRecord = yield* HealthRecord
      const paging = yield* Paging

      const openPatient = Effect.fnUntraced(
        function*({ fhirId, rawCiphertext, veteranId }: PatientRepository.ListedRow) {
          if (fhirId === null || rawCiphertext === null) return undefined
          return yield* healthRecord.open(veteranId, { resourceType: "Patient", fhirId, rawCiphertext })
        },
        // One Patient that cannot be opened does not hide the other patients.
        Effect.catchCause((cause) => Effect.as(logTrouble("a Patient in the list of patients")(cause), undefined))
      )

      /** Reads what each record shows of its veteran, all of them in one transaction, until a page is full. */
      const readAll = Effect.fnUntraced(function*(providerId: ProviderId, veteranIds: ReadonlyArray<VeteranId>) {
        const [veteranId] = veteranIds
        if (veteranId === undefined) return new Map<VeteranId, Shown>()
        const rows = yield* PatientRepository.listed(veteranIds, pageBytes, maxPatientBytes + sealBytes).pipe(
          actors.withActor({ kind: "provider", providerId, veteranId })
        )
        const shown = new Map<VeteranId, Shown>()
        const pace = makePace()
        let room = pageBytes
        for (const row of rows) {
          const json = yield* openPatient(row)
          shown.set(row.veteranId, { ...row, person: json === undefined ? null : personIn(json) })
          const length = json?.length ?? 0
          if ((room -= length) <= 0) break
          yield* pace(2 * length)
        }
        return shown
      })

      const list: PatientList["Service"]["list"] = Effect.fn("PatientList.list")(function*(providerId, request) {
        const { veteranId } = request
        const name = `patients|${providerId}|${veteranId ?? ""}`
        const page = yield* paging.byId(
          name,
          request,
          (query) => grants.patients({ ...query, providerId, ...(veteranId === undefined ? {} : { veteranId }) })
        )
        const listed = page.items.map(({ id }) => id)
        const shown = yield* readAll(providerId, [...new Set(page.items.map(({ veteranId }) => veteranId))])
        // A grant that ended meanwhile showed nothing, which would be told as "not loaded".
        const standing = new Set(yield* grants.standing(providerId, listed))
        const items: Array<typeof Patient.Type> = []
        let lastRead = ""
        for (const { askedAt: _, callSign, fhirSyncManifest, ...grant } of page.items) {
          const record = shown.get(grant.veteranId)
          // The Patients before this one fill the page.
          if (record === undefined) return { items, nextCursor: paging.cursor(name, [lastRead]) }
          lastRead = grant.id
          if (!standing.has(grant.id)) continue
          const manifest = onlyTypes(fromStored(fhirSyncManifest), record.resourceTypes)
          const sections = Object.entries(manifest).map(([resourceType, entry]) => ({ resourceType, ...entry }))
          const gaps = gapsOf({ alerts: alerts(manifest), sections })
          const missing = gaps.filter(({ standing }) => standing === "missing")
          items.push({
            veteranId: grant.veteranId,
            callSign,
            person: record.person,
            grant,
            alertCount: gaps.length - missing.length,
            notLoaded: missing.map(({ resourceType }) => resourceType),
            lastLookedAt: record.lookedAt,
            changedSince: record.changed === true || (record.lookedAt !== null && grant.grantedAt > record.lookedAt)
          })
        }
        return { ...page, items }
      })

      return PatientList.of({ list })
    })
  )
}

/** A Patient of more bytes is not read here, because reading it would hold up other requests. */
const maxPatientBytes = 1024 * 1024

/** The most bytes that sealing adds to a text: the envelope's head and tag. */
const sealBytes = 64

/** The most characters of a name in the list. The record has the whole name. */
const maxNameLength = 200

const personIn = (json: Uint8Array): ListedPerson | null => {
  if (json.length > maxPatientBytes) return null
  const { born, name } = personOf(rowOf("Patient", "", Buffer.from(json).toString(), () => undefined))
  return name === "" && born === null ? null : { name: name === "" ? null : shortName(name), birthDate: born }
}

const shortName = (name: string) => {
  const characters = Array.from(name)
  return characters.length <= maxNameLength ? name : `${characters.slice(0, maxNameLength - 1).join("")}…`
}

interface Shown extends PatientRepository.ListedRow {
  readonly person: ListedPerson | null
}
