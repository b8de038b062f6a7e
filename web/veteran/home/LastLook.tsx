import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import { Reading } from "../../shared/ui/Reading.tsx"
import type { Client } from "../AppClient.ts"
import { isOwnAct } from "../looks/LookFilter.ts"
import { momentWords } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { Named } from "../sharing/Named.tsx"
import { useHomeWords } from "./Words.ts"

/** The list has the veteran's own acts too, so that the latest look may stand behind some of them. */
const readLatest = ({ disclosures }: Client) => disclosures.list({ params: me, query: { about: "looks", limit: 20 } })

/** The latest time at which somebody else saw the record, or tried to. */
export const LastLook = () => {
  const { looks } = useHomeWords()
  return (
    <section className="card stack">
      <h2>{looks.title}</h2>
      <Reading of={useOwnRead(readLatest)}>
        {(answer, now) => {
          const page = typeof answer === "object" ? answer : undefined
          const look = page?.items.find((line) => !isOwnAct(line))
          return look === undefined
            ? <p>{page?.nextCursor === null ? looks.none : looks.noneLately}</p>
            : (
              <p className="named">
                <Look {...look} /> {momentWords(look.at, now)}. <a href={addressOf({ screen: "looks" })}>{looks.see}</a>
              </p>
            )
        }}
      </Reading>
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
