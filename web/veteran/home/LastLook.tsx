import { useMemo } from "react"
import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import { useRead } from "../../shared/Call.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { isOwnAct } from "../looks/LookFilter.ts"
import { momentWords } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"

/** The list has the veteran's own acts too, so that the latest look may stand behind some of them. */
const latest = { params: { veteranId: "me" }, query: { about: "looks", limit: 20 } } as const

/** The latest time at which somebody else saw the record, or tried to. */
export const LastLook = () => {
  const { call } = useSession()
  const { again, state } = useRead(useMemo(() => call(({ disclosures }) => disclosures.list(latest)), [call]))
  const page = state.is === "done" && typeof state.value === "object" ? state.value : undefined
  const look = page?.items.find((line) => !isOwnAct(line))
  return (
    <section className="card stack">
      <h2>Last look</h2>
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done"
        ? look === undefined
          ? <p>{page?.nextCursor === null ? "No one has looked." : "No one has looked lately."}</p>
          : (
            <p>
              <Look {...look} /> {momentWords(look.at, state.at)}.{" "}
              <a href={addressOf({ screen: "looks" })}>See who looked</a>
            </p>
          )
        : null}
    </section>
  )
}

const Look = ({ actor, kind }: Disclosure) => {
  const name = actor.name === undefined ? undefined : (
    <strong>
      <bdi>{actor.name}</bdi>
    </strong>
  )
  switch (kind) {
    case "link_opened":
      return <>Someone opened the link {name === undefined ? null : <>for {name}</>}</>
    case "link_code_failed":
      return <>Someone typed a wrong code {name === undefined ? null : <>on the link for {name}</>}</>
    case "link_viewed":
      return <>{name ?? "Someone"} read a signed release</>
    case "document_read":
      return <>{name ?? "Someone"} opened a document</>
    default:
      return <>{name ?? "Someone"} looked at your record</>
  }
}
