import { type ComponentType, useEffect, useState } from "react"
import { Loading } from "./Loading.tsx"
import { NotShown } from "./NotShown.tsx"
import type { PdfProperties } from "./PdfPages.tsx"

const pages = () => import("./PdfPages.tsx")

/** Loads what shows a PDF, and starts its thread, while something else is awaited. */
export const preloadPdf = () => void pages().then(({ warm }) => warm(), () => {})

/** The pages of a PDF, drawn as one scrolls, with their text. What shows them is loaded with the first. */
export const Pdf = (properties: PdfProperties) => {
  const [Pages, setPages] = useState<ComponentType<PdfProperties> | "failed">()
  useEffect(() => {
    pages().then(({ PdfPages }) => setPages(() => PdfPages), () => setPages("failed"))
  }, [])
  if (Pages === "failed") return <NotShown />
  return Pages === undefined ? <Loading>Opening the pages</Loading> : <Pages {...properties} />
}
