import type { Verification } from "../../../src/domain/Release.ts"
import { dayWords } from "../../shared/Dates.ts"
import type { SealCheck } from "./SealCheck.ts"

/** What the page says about a file, and what to do. */
export interface Finding {
  readonly kind: "success" | "warning" | "error"
  readonly title: string
  readonly text: string
}

/** `answer` is the service's answer about the file, undefined if the service could not be reached. */
export const findingOf = (seal: SealCheck, answer: Verification | undefined): Finding => {
  if (answer?.genuine === true) return genuineFinding(answer)
  if (seal.is === "broken") {
    return {
      kind: "error",
      title: "This file was changed",
      text: "It changed after it was sealed. Do not rely on it. Ask for a new copy."
    }
  }
  if (seal.is === "missing") {
    return {
      kind: "error",
      title: "This is not a signed release",
      text: "The file has no seal. A print, a scan, or a file that was saved again loses it. Ask for the original file."
    }
  }
  return answer === undefined
    ? {
      kind: "warning",
      title: "The file is unchanged, but we could not ask about it",
      text: "Its seal is unbroken. Whether it is genuine and still in force is not known. Try again in a moment."
    }
    : {
      kind: "error",
      title: "We do not know this file",
      text:
        "Its seal is unbroken, but anyone can make a seal with any name. Check the document number, or ask for a new copy."
    }
}

const genuineFinding = ({ endsAt, status }: Extract<Verification, { genuine: true }>): Finding => {
  const genuine = "The file is unchanged and genuine."
  switch (status) {
    case "in_force":
      return {
        kind: "success",
        title: "Genuine and in force",
        text: `${genuine} The release is in force until ${lastDayOf({ endsAt })}.`
      }
    case "expired":
      return {
        kind: "warning",
        title: "Genuine, but it has ended",
        text: `${genuine} The release ended on ${lastDayOf({ endsAt })}. Ask the veteran for a new one.`
      }
    case "revoked":
      return {
        kind: "warning",
        title: "Genuine, but it was revoked",
        text: `${genuine} The veteran has ended the release. Nothing more may be released under it.`
      }
    case "superseded":
      return {
        kind: "warning",
        title: "Genuine, but it was replaced",
        text: `${genuine} The veteran has signed a newer release in its place. Ask for that one.`
      }
  }
}

/**
 * The last day on which the release is in force, as its pages print it. The release ends with that day (contract, part
 * 6).
 */
export const lastDayOf = ({ endsAt }: { readonly endsAt: Date }) => dayWords(new Date(endsAt.getTime() - 1))
