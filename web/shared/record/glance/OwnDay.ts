import { dayWords } from "../../Dates.ts"
import { recordedDay } from "../ClinicalDays.ts"
import type { SelfReported } from "../Messages.ts"

/** The day that an entry of the patient is about, else the day on which the patient wrote it. */
export const ownDay = ({ createdAt, occurredOn }: Pick<SelfReported, "createdAt" | "occurredOn">): string =>
  occurredOn === null ? `written ${dayWords(new Date(createdAt))}` : recordedDay(occurredOn)
