import { Effect } from "effect"
import { PatientList } from "../../services/patient/PatientList.ts"
import { Patients } from "../../services/patient/Patients.ts"
import { ProviderNotes } from "../../services/patient/ProviderNotes.ts"
import { RecordChanges } from "../../services/patient/RecordChanges.ts"
import { SavedCopies } from "../../services/patient/SavedCopies.ts"
import { forProvider } from "../contract/Authorization.ts"
import { fileAnswer } from "../wire/FileAnswer.ts"
import { group } from "../wire/Group.ts"
import { jsonAnswer } from "../wire/JsonAnswer.ts"

export const PatientsHandlers = group("patients", function*(handlers) {
  const changes = yield* RecordChanges
  const notes = yield* ProviderNotes
  const patientList = yield* PatientList
  const patients = yield* Patients
  const savedCopies = yield* SavedCopies
  return handlers.handleAll({
    list: forProvider((providerId, { query }) => patientList.list(providerId, query)),
    record: forProvider((providerId, { params, query }) =>
      Effect.flatMap(patients.record(providerId, params.veteranId, query), jsonAnswer)
    ),
    changes: forProvider((providerId, { params, query }) => changes.list(providerId, params.veteranId, query)),
    saved: forProvider((providerId, { params }) => savedCopies.prove(providerId, params.veteranId)),
    notes: forProvider(Effect.fnUntraced(function*(providerId, { params, query }) {
      yield* patients.grant(providerId, params.veteranId)
      return yield* notes.listForProvider(providerId, params.veteranId, query)
    })),
    writeNote: forProvider(Effect.fnUntraced(function*(providerId, { params, payload }) {
      yield* patients.grant(providerId, params.veteranId)
      return yield* notes.write(providerId, params.veteranId, payload.text)
    })),
    document: forProvider((providerId, { params }) =>
      Effect.map(patients.document(providerId, params.veteranId, params.documentId), fileAnswer)
    )
  })
})
