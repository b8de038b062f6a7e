import { Layer } from "effect"
import { PatientList } from "./PatientList.ts"
import { Patients } from "./Patients.ts"
import { ProviderNotes } from "./ProviderNotes.ts"
import { RecordChanges } from "./RecordChanges.ts"
import { SavedCopies } from "./SavedCopies.ts"

export const PatientLayer = Layer.mergeAll(
  PatientList.layer,
  Patients.layer,
  RecordChanges.layer,
  SavedCopies.layer
).pipe(Layer.provideMerge(ProviderNotes.layer))
