import { useSpoken } from "../../shared/language/Language.ts"
import { choose } from "./LinkLanguage.ts"

/** Changes between the page's two languages. Each has its name in that language (WCAG 3.1.2). */
export const LanguageSwitch = () => (
  <nav>
    <select
      className="usa-select language"
      aria-label="Language, idioma"
      value={useSpoken().language}
      onChange={({ target }) => void choose(target.value === "es" ? "es" : "en")}
    >
      <option value="en" lang="en">English</option>
      <option value="es" lang="es">Español</option>
    </select>
  </nav>
)
