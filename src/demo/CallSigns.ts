/** The sandbox VA has an Eagle, a Hawk and a Robin, which must not be mistaken for a patient of a demo. */
const birds = ["Falcon", "Osprey", "Heron", "Kestrel", "Raven", "Swift"]

const numbers = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]

const callSigns = numbers.flatMap((number) => birds.map((bird) => `${bird} ${number}`))

/** The first call sign that no patient of the list has, so that patients of several demos differ. */
export const freeCallSign = (patients: ReadonlyArray<{ readonly callSign: string }>): string => {
  const taken = new Set(patients.map(({ callSign }) => callSign))
  return callSigns.find((callSign) => !taken.has(callSign)) ?? `Falcon ${patients.length + 1}`
}
