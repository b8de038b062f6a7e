import { Effect } from "effect"
import { useMemo } from "react"
import { alerts } from "../../../src/domain/Alert.ts"
import type { Manifest } from "../../../src/domain/Manifest.ts"
import { useRead } from "../../shared/Call.ts"
import { me } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"
import { vaConfiguration } from "../VaConfiguration.ts"

export interface RecordKinds {
  readonly manifest: Manifest
  /** The kinds that the record has, or that an update would bring. */
  readonly all: ReadonlyArray<string>
  /** The kinds that are not complete. Providers are told the same. */
  readonly incomplete: ReadonlyArray<string>
}

export const useRecordKinds = () => {
  const { call } = useSession()
  return useRead(useMemo(() =>
    Effect.map(
      Effect.all([call(({ healthRecord }) => healthRecord.manifest({ params: me })), vaConfiguration]),
      ([manifest, va]): RecordKinds => ({
        manifest,
        all: [...new Set([...Object.keys(manifest), ...va?.resourceTypes ?? []])],
        incomplete: alerts(manifest).map(({ resourceType }) => resourceType)
      })
    ), [call]))
}
