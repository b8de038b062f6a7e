import type { InEachLanguage } from "./Language.ts"

/** This line is at the foot of every page and mail that veterans read, as on the VA's own pages and papers. */
export const crisisLine: InEachLanguage<string> = {
  en: "Veterans Crisis Line: dial 988, then press 1",
  es: "Línea de Crisis para Veteranos: marque el 988 y luego presione el 1"
}
