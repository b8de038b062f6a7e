import { useEffect, useRef, useState } from "react"
import { useSending } from "../../shared/Sending.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { deviceName } from "../connect/DeviceName.ts"
import { type Session, useSession } from "../session/Session.ts"
import { PasskeyTrouble } from "./PasskeyTrouble.tsx"
import { addedPasskey } from "./Steps.ts"
import { hasPasskeys } from "./Touch.ts"
import { usePasskeyWords } from "./Words.ts"

/** The sessions in which the veteran has answered. It is asked once, and nothing of it is kept on the device. */
const answered = new WeakSet<Session>()

/** Offers a passkey once, just after the first sign-in. Later it is found in Account. */
export const OfferPasskey = () => {
  const words = usePasskeyWords()
  const session = useSession()
  const confirmed = useConfirmed()
  const [step, setStep] = useState<"asked" | "added" | "later" | "over">(() => answered.has(session) ? "over" : "asked")
  const { busy, off, problem, send } = useSending()
  const outcome = useRef<HTMLDivElement>(null)
  // The pressed button is gone, and the focus must not be lost with it (WCAG 2.4.3).
  useEffect(() => step === "added" || step === "later" ? outcome.current?.focus() : undefined, [step])
  if (!session.isFirst || !hasPasskeys || step === "over") return null
  const answer = (next: "added" | "later") => {
    answered.add(session)
    setStep(next)
  }
  const setUp = () => send(addedPasskey(session, deviceName(navigator.userAgent), confirmed), () => answer("added"))
  if (step !== "asked") {
    return (
      <div ref={outcome} tabIndex={-1}>
        <Notice kind={step === "added" ? "success" : "info"} live>
          {step === "added" ? words.added : words.offer.later}
        </Notice>
      </div>
    )
  }
  return (
    <section className="card stack">
      <h2>{words.offer.title}</h2>
      <p>{words.safe}</p>
      <p>{words.shared}</p>
      <PasskeyTrouble of={problem} />
      <div className="actions">
        <Button busy={busy} off={off} onClick={setUp}>{words.offer.setUp}</Button>
        <Button kind="outline" onClick={() => answer("later")}>{words.offer.notNow}</Button>
      </div>
      <Loading when={busy}>{words.opening}</Loading>
    </section>
  )
}
