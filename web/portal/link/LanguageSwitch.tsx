import { useSpoken } from "../../shared/language/Language.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { choose, useLinkWords } from "./LinkLanguage.ts"

/** Changes between the page's two languages. */
export const LanguageSwitch = () => {
  const other = useSpoken().language === "en" ? "es" : "en"
  return (
    <nav>
      <Button kind="link" lang={other} onClick={() => void choose(other)}>{useLinkWords().other}</Button>
    </nav>
  )
}
