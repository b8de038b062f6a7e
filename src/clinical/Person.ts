import type { Row } from "./Row.ts"

/** The person whom the record describes. */
export interface Person {
  /** Empty if the Patient has no name. */
  readonly name: string
  readonly born: string | null
  readonly sex: string | null
  /** The date, or “Yes” if the record has no date. */
  readonly died: string | null
  readonly flags: ReadonlyArray<string>
}

/** Reads the row of a Patient. */
export const personOf = ({ details, flags, title }: Row): Person => {
  const detail = (label: string) => details.find((one) => one.label === label)?.text ?? null
  // A Patient without a name has its type as title.
  return {
    name: title === "Patient" ? "" : title,
    born: detail("Born"),
    sex: detail("Sex"),
    died: detail("Died"),
    flags
  }
}
