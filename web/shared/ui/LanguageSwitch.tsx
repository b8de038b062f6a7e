import type { Language } from "../../../src/domain/Language.ts"
import { useSpoken } from "../language/Language.ts"

/** Changes between a page's two languages. Each has its name in that language (WCAG 3.1.2). */
export const LanguageSwitch = ({ onChoice }: { readonly onChoice: (language: Language) => void }) => (
  <nav>
    <select
      className="usa-select language"
      aria-label="Language, idioma"
      value={useSpoken().language}
      onChange={({ target }) => onChoice(target.value === "es" ? "es" : "en")}
    >
      <option value="en" lang="en">English</option>
      <option value="es" lang="es">Español</option>
    </select>
  </nav>
)
