import { useMemo } from "react"
import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import { useRead } from "../../shared/Call.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { isOwnAct } from "../looks/LookFilter.ts"
import { momentWords } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import { Named } from "../sharing/Named.tsx"
import { useHomeWords } from "./Words.ts"

/** The list has the veteran's own acts too, so that the latest look may stand behind some of them. */
const latest = { params: { veteranId: "me" }, query: { about: "looks", limit: 20 } } as const

/** The latest time at which somebody else saw the record, or tried to. */
export const LastLook = () => {
  const { call } = useSession()
  const { looks } = useHomeWords()
  const { again, state } = useRead(useMemo(() => call(({ disclosures }) => disclosures.list(latest)), [call]))
  const page = state.is === "done" && typeof state.value === "object" ? state.value : undefined
  const look = page?.items.find((line) => !isOwnAct(line))
  return (
    <section className="card stack">
      <h2>{looks.title}</h2>
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done"
        ? look === undefined
          ? <p>{page?.nextCursor === null ? looks.none : looks.noneLately}</p>
          : (
            <p className="named">
              <Look {...look} /> {momentWords(look.at, state.at)}.{" "}
              <a href={addressOf({ screen: "looks" })}>{looks.see}</a>
            </p>
          )
        : null}
    </section>
  )
}

const Look = ({ actor: { name }, kind }: Disclosure) => {
  const { looks } = useHomeWords()
  switch (kind) {
    case "link_opened":
      return name === undefined ? looks.opened : <Named of={looks.openedFor} name={name} />
    case "link_code_failed":
      return name === undefined ? looks.wrongCode : <Named of={looks.wrongCodeFor} name={name} />
    case "link_viewed":
      return <Somebody of={looks.read} name={name} />
    case "document_read":
      return <Somebody of={looks.document} name={name} />
    default:
      return <Somebody of={looks.looked} name={name} />
  }
}

const Somebody = ({ name, of }: { readonly of: (name: string) => string; readonly name: string | undefined }) => {
  const { looks } = useHomeWords()
  return name === undefined ? of(looks.someone) : <Named of={of} name={name} />
}
