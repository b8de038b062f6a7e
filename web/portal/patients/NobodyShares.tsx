import { useState } from "react"
import { Button } from "../../shared/ui/Button.tsx"

/** Says what to do when the list is empty. */
export const NobodyShares = ({ email }: { readonly email: string }) => {
  const [copied, setCopied] = useState("")
  const copy = () =>
    navigator.clipboard.writeText(email).then(
      () => setCopied("Copied."),
      () => setCopied("Your browser did not copy it. Select the address instead.")
    )
  return (
    <>
      <p>
        No one shares with you yet. A patient can find you by <strong>{email}</strong>
      </p>
      <div className="actions">
        <Button kind="outline" onClick={copy}>Copy your e-mail</Button>
        <span role="status">{copied}</span>
      </div>
    </>
  )
}
