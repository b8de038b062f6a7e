import { type ComponentType, useEffect, useState } from "react"
import { usePdfWords } from "../pdf/PdfWords.ts"
import { Loading } from "./Loading.tsx"
import { NotShown } from "./NotShown.tsx"
import type { PdfProperties } from "./PdfPages.tsx"

/** The pages of a PDF, drawn as the reader scrolls, with their text. The viewer is loaded with the first PDF. */
export const Pdf = (properties: PdfProperties) => {
  const pdf = usePdfWords()
  const [Pages, setPages] = useState<ComponentType<PdfProperties> | "failed">()
  useEffect(() => {
    import("./PdfPages.tsx").then(({ PdfPages }) => setPages(() => PdfPages), () => setPages("failed"))
  }, [])
  if (Pages === "failed") return <NotShown />
  return Pages === undefined ? <Loading>{pdf.opening}</Loading> : <Pages {...properties} />
}
