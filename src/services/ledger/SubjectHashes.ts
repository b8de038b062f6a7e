import { Effect } from "effect"
import { Crypto } from "../platform/Crypto.ts"
import { type ProofEvent, type Subject, subjectOf, subjects } from "./ProofEvent.ts"

/** Keyed hashes by which a sealed event is found, of what it is about (migrations/030). */
export const subjectHashes = Effect.map(Crypto, ({ keyedHash }) => {
  const whole = keyedHash("proof-subject")
  const hashOf = (subject: Subject, id: string) => whole(`${subject} ${id}`).subarray(0, 16)
  const hashesOf = (event: ProofEvent) =>
    Buffer.concat(subjects.flatMap((subject) => {
      const id = subjectOf(event, subject)
      return id === undefined ? [] : [hashOf(subject, id)]
    }))
  return { hashOf, hashesOf }
})
