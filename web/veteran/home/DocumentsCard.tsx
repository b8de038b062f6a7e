import { NewLink } from "../account/NewLink.tsx"
import { addressOf } from "../Route.ts"
import { useHomeWords } from "./Words.ts"

/** The ways to what the veteran added and signed. */
export const DocumentsCard = () => {
  const { documents } = useHomeWords()
  return (
    <section className="card stack">
      <h2>{documents.title}</h2>
      <p className="row">
        <a className="line-link" href={addressOf({ screen: "documents" })}>{documents.see}</a>
        <NewLink kind="link" to={{ screen: "release" }}>{documents.sign}</NewLink>
      </p>
    </section>
  )
}
