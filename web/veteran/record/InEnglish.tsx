import { useOwnWords } from "./Words.ts"

/** Says on a page in another language that what VA wrote stays in English. */
export const InEnglish = () => {
  const { inEnglish } = useOwnWords()
  return inEnglish === "" ? null : <p className="soft">{inEnglish}</p>
}
