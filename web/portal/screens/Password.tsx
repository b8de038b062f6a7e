import { type ReactNode, useState, useSyncExternalStore } from "react"
import { useTitle } from "../../shared/Title.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { AskForLink } from "../password/AskForLink.tsx"
import { ChoosePassword } from "../password/ChoosePassword.tsx"
import { passwordSet } from "../password/PasswordSet.ts"
import { lastOpened, onOpened } from "../password/PasswordToken.ts"

/** For a provider who cannot sign in: asks for a link, or chooses a password by the link that was opened. */
export const Password = () => {
  const { given, time, token } = useSyncExternalStore(onOpened, lastOpened)
  return (
    <>
      <Offline />
      <Steps key={time} given={given} token={token} />
    </>
  )
}

const Steps = ({ given, token }: { readonly given: boolean; readonly token: string | undefined }) => {
  const [step, setStep] = useState<keyof typeof titles>(
    token !== undefined ? "choose" : given ? "expired" : "forgotten"
  )
  useTitle(titles[step])
  const ask = <AskForLink onSent={() => setStep("sent")} />
  switch (step) {
    case "choose":
      return (
        <ChoosePassword
          token={token!}
          onExpired={() => setStep("expired")}
          // The page is left, and with it the token. The way back does not lead here.
          onSet={() => location.replace(passwordSet)}
        />
      )
    case "forgotten":
      return (
        <Card key={step} title={titles.forgotten}>
          <p>Enter the e-mail that you sign in with. We mail you a link to choose a new password.</p>
          {ask}
        </Card>
      )
    case "expired":
      return (
        <Card key={step} title={titles.expired}>
          <p>A link works once, and for one hour. If you got several mails, only the link of the newest works.</p>
          <p>
            Have you chosen a password by it already? Then go back, and sign in. Otherwise enter your e-mail for a new
            link.
          </p>
          {ask}
        </Card>
      )
    case "sent":
      return (
        <Card key={step} title={titles.sent}>
          <p>
            If this e-mail belongs to an account that is not disabled, a link is on its way to it. The link works once,
            and for one hour.
          </p>
          <p className="soft">
            No mail after five minutes? Look in your junk folder. We mail at most five links a day. Your clinic’s
            administrator can have one more mailed to you.
          </p>
        </Card>
      )
  }
}

const titles = {
  choose: "Choose a password",
  forgotten: "Forgot your password?",
  expired: "This link no longer works",
  sent: "Check your mail"
}

const Card = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="card stack">
    <Heading>{title}</Heading>
    {children}
    <p>
      <a href="/">Back to sign in</a>
    </p>
  </section>
)
