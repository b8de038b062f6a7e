import { memo } from "react"
import { type CardsProperties, useCards } from "./Cards.tsx"

/** A clinician's first glance: allergies over problems, medications, and latest results, all visible together. */
export const FirstGlance = memo((properties: CardsProperties) => {
  const { allergies, medications, problems, results } = useCards(properties)
  return (
    <div className="glance">
      <div className="stack">
        {allergies}
        {problems}
      </div>
      {medications}
      {results}
    </div>
  )
})
