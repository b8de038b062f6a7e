import { dayWords } from "../../Dates.ts"
import { recordedDay } from "../ClinicalDays.ts"
import type { SelfReported } from "../Messages.ts"
import { recordWords } from "../RecordLanguage.ts"

/** The day that an entry of the patient is about, else the day on which the patient wrote it. */
export const ownDay = ({ createdAt, occurredOn }: Pick<SelfReported, "createdAt" | "occurredOn">): string =>
  occurredOn === null ? recordWords().written(dayWords(new Date(createdAt))) : recordedDay(occurredOn)
