import type { MadeInvitation } from "../../../src/domain/ProviderInvitation.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { useSession } from "../session/Session.ts"

/** A new code as a sheet for the desk. It is shown once, because the service does not keep it. */
export const MadeCode = ({ made, onDone }: { readonly made: MadeInvitation; readonly onDone: () => void }) => {
  const { provider } = useSession()
  return (
    <div className="desk-sheet stack">
      <Heading>Share your VA health record with us</Heading>
      <p>
        {provider.displayName}, {provider.organization}
      </p>
      <img
        alt="QR code that opens Veteran Records with us found"
        src={`data:image/svg+xml,${encodeURIComponent(made.qrSvg)}`}
      />
      <ol>
        <li>Point your phone’s camera at this code.</li>
        <li>Sign in with your VA account.</li>
        <li>Choose what to share, and for how long. You can stop at any time.</li>
      </ol>
      <p>
        No camera? Open <strong>{new URL(made.url).host}</strong>, choose “Share with a provider” and type{" "}
        <strong className="desk-code">{spaced(made.code)}</strong>
      </p>
      <p className="soft">Good until {dayWords(made.expiresAt)}. This is not a VA website.</p>
      <div className="actions unprinted">
        <Button onClick={() => print()}>Print this sheet</Button>
        <Button kind="outline" onClick={onDone}>Done</Button>
      </div>
      <p className="soft unprinted">
        This is the only time that we show the code. Print it now, or make another one later.
      </p>
    </div>
  )
}

const spaced = (code: string) => `${code.slice(0, 5)} ${code.slice(5)}`
