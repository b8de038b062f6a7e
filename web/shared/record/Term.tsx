import { useRecordWords } from "./RecordLanguage.ts"

/** A label, a status or a flag. One that stays as the source wrote it is marked with its language (WCAG 3.1.2). */
export const Term = ({ of }: { readonly of: string }) => {
  const { ofSource, term } = useRecordWords()
  return term(of) ?? <span lang={ofSource}>{of}</span>
}
