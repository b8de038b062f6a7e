import { alerts } from "../../../src/domain/Alert.ts"
import type { Manifest } from "../../../src/domain/Manifest.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { kindWords } from "../sharing/SharingWords.ts"
import { useReleaseWords } from "./Words.ts"

/** The chosen kinds that are not complete, and those about which the signer is asked. The recipient is told too. */
export const incompleteOf = (manifest: Manifest, types: ReadonlyArray<string>) => {
  const told = new Set(alerts(manifest).map(({ resourceType }) => resourceType))
  return types.filter((type) => told.has(type) || (manifest[type]?.state ?? "unknown") === "unknown")
}

export const IncompleteNotice = ({ asked, manifest, types }: {
  readonly manifest: Manifest
  readonly types: ReadonlyArray<string>
  /** The kinds about which the signer is asked, also if they are not chosen. */
  readonly asked: ReadonlyArray<string>
}) => {
  const { sign } = useReleaseWords()
  const incomplete = [...new Set([...asked, ...incompleteOf(manifest, types)])]
  if (incomplete.length === 0) return null
  const moments = incomplete.map((type) => manifest[type]?.lastCompleteAt ?? undefined)
  // One day is told only if it is the same for all of them.
  const days = new Set(moments.map((at) => at === undefined ? undefined : dayWords(at)))
  const [day] = days.size === 1 ? days : []
  return <Notice kind="warning" title={sign.incomplete(kindWords(incomplete))}>{sign.incompleteText(day)}</Notice>
}
