import { type ComponentType, useEffect, useState } from "react"
import { Loading } from "./Loading.tsx"
import { NotShown } from "./NotShown.tsx"
import type { PdfProperties } from "./PdfPages.tsx"

const pages = () => import("./PdfPages.tsx")

/** Loads the PDF viewer and starts its thread before it is needed. */
export const preloadPdf = () => void pages().then(({ warm }) => warm(), () => {})

/** The pages of a PDF, drawn as the reader scrolls, with their text. The viewer is loaded with the first PDF. */
export const Pdf = (properties: PdfProperties) => {
  const [Pages, setPages] = useState<ComponentType<PdfProperties> | "failed">()
  useEffect(() => {
    pages().then(({ PdfPages }) => setPages(() => PdfPages), () => setPages("failed"))
  }, [])
  if (Pages === "failed") return <NotShown />
  return Pages === undefined ? <Loading>Opening the pages</Loading> : <Pages {...properties} />
}
