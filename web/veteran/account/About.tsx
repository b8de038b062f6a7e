import { useRead } from "../../shared/Call.ts"
import { vaConfiguration } from "../VaConfiguration.ts"
import { Card } from "./Card.tsx"
import { useAccountWords } from "./Words.ts"

/** What this app is and is not, and where the record comes from. */
export const About = () => {
  const { about: words } = useAccountWords()
  const { state } = useRead(vaConfiguration)
  return (
    <Card title={words.title}>
      <p>{words.notVa}</p>
      <p>{words.source}</p>
      <p>{words.privacy}</p>
      <p>{words.help}</p>
      {state.is === "done" && state.value?.sandbox === true ? <p className="soft">{words.sandbox}</p> : null}
    </Card>
  )
}
