import { useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"

/** Copies the first glance as plain text, for the clinic's own chart. */
export const CopyForChart = ({ textOf }: { readonly textOf: (at: Date) => string }) => {
  const [told, setTold] = useState("")
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(textOf(new Date()))
      setTold("Copied. You can paste it into your chart.")
    } catch {
      setTold("This browser does not let us copy. Select the text on the page and copy it.")
    }
  }
  return (
    <>
      <Button kind="outline" onClick={copy}>Copy for my chart</Button>
      <span role="status" className="small">{told}</span>
    </>
  )
}
