import { Effect } from "effect"
import { useEffect, useMemo, useState } from "react"
import { useRead } from "../../shared/Call.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { keepVaGrant, type VaGrant, vaGrant } from "../connect/VaGrant.ts"
import { useSession } from "../session/Session.ts"
import { BeforeUpdate } from "../update/BeforeUpdate.tsx"
import { RunningUpdate, type UpdateGiven } from "../update/RunningUpdate.ts"
import { UpdateProgress } from "../update/UpdateProgress.tsx"
import { vaConfiguration } from "../VaConfiguration.ts"

/** Updates the record from the VA. Without the VA's token in memory it leads to the VA first, which comes back here. */
export const Update = () => {
  const [grant] = useState(vaGrant)
  useEffect(() => keepVaGrant(undefined), [])
  return grant === undefined ? <BeforeUpdate /> : <Configured grant={grant} />
}

const Configured = ({ grant }: { readonly grant: VaGrant }) => {
  const session = useSession()
  const { again, state } = useRead(vaConfiguration)
  const given = useMemo((): UpdateGiven | undefined => {
    if (state.is !== "done" || state.value === undefined) return undefined
    const { fhirBase, resourceTypes } = state.value
    return {
      source: {
        api: session.authorization().api,
        fhirBase,
        patientId: grant.patientId,
        vaToken: grant.accessToken,
        vaExpiresAt: grant.expiresAt
      },
      resourceTypes,
      renewed: Effect.map(session.renewed, ({ authorization, expiresAt }) => ({
        authorization,
        expiresAt: expiresAt.getTime()
      }))
    }
  }, [grant, session, state])
  if (state.is === "failed") return <Trouble problem={state.problem} again={again} />
  return given === undefined ? <Loading /> : <Started given={given} />
}

/** The update ends with this screen. */
const Started = ({ given }: { readonly given: UpdateGiven }) => {
  const [update, setUpdate] = useState<RunningUpdate>()
  useEffect(() => {
    const started = new RunningUpdate(given)
    setUpdate(started)
    return () => started.close()
  }, [given])
  return update === undefined ? null : <UpdateProgress update={update} />
}
