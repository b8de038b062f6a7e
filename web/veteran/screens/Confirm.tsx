import { useEffect, useState } from "react"
import type { Problem } from "../../shared/Problem.ts"
import { useSending } from "../../shared/Sending.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { openConfirmNews } from "../confirm/ConfirmNews.ts"
import { useConfirmWords } from "../confirm/Words.ts"
import { confirmedByVa, goToVa } from "../connect/Connect.ts"
import { takeReturn } from "../connect/KeptReturn.ts"
import { ToVa } from "../connect/ToVa.tsx"
import { type Session, useSession } from "../session/Session.ts"

/** A confirmation that lasts no longer, in milliseconds, is not told: the service's clock may be two minutes ahead. */
const shortest = 150_000

const isConfirmed = ({ confirmedUntil }: Session) => (confirmedUntil()?.getTime() ?? 0) > Date.now() + shortest

/** What is read before the window closes, in milliseconds. */
const readingTime = 1_500

type Step = "going" | "checking" | "confirmed" | Problem

/** The window that a question opened. It goes to the VA and comes back, tells the others, and is closed. */
export const Confirm = () => {
  const words = useConfirmWords()
  const session = useSession()
  const { send } = useSending()
  const [step, setStep] = useState<Step>("going")
  useEffect(() => {
    const done = () => {
      setStep("confirmed")
      openConfirmNews().tell({ is: "confirmed", veteranId: session.veteranId })
      // A browser closes only a window that it may, and else the words say it.
      setTimeout(() => close(), readingTime)
    }
    const returned = takeReturn("confirms")
    if (returned !== undefined) {
      setStep("checking")
      send(confirmedByVa(session, returned), done, setStep)
    } else if (isConfirmed(session)) {
      done()
    } else {
      send(goToVa(location.hash, "confirms"), () => {}, setStep)
    }
  }, [send, session])
  return (
    <section className="card stack">
      <Heading>{words.title}</Heading>
      {step === "confirmed"
        ? (
          <>
            <Notice kind="success" live>{words.done}</Notice>
            <p>{words.goesOn}</p>
          </>
        )
        : typeof step === "string"
        ? <Loading>{words[step]}</Loading>
        : <ToVa refusal={step} purpose="confirms">{words.again}</ToVa>}
    </section>
  )
}
