import { useShareWords } from "./Words.ts"

/** The limits of keeping protected parts back, which every choice of them must tell (`notSearched` in the domain). */
export const NotSearched = () => {
  const { parts } = useShareWords()
  return (
    <ul>
      <li>{parts.notFound}</li>
      <li>{parts.notInside}</li>
      <li>{parts.notSearched}</li>
    </ul>
  )
}
