import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { waitOf } from "../../shared/Words.ts"
import { Named } from "../sharing/Named.tsx"
import type { CodeMail } from "./CodeMail.ts"
import { useLinkWords } from "./Words.ts"

/** A button that mails the code, and what the veteran tells the front desk. */
export const CodeNow = ({ email, mail: { busy, news, send, wait, wasSent } }: {
  readonly email: string
  readonly mail: CodeMail
}) => {
  const { code } = useLinkWords()
  const off = useOffReason()
  const name = wasSent ? code.again : code.send
  return (
    <>
      <div className="actions">
        <Button kind="outline" busy={busy || wait > 0} off={off} onClick={send}>
          {busy ? code.sending : wait > 0 ? code.later(name, waitOf(wait)) : name}
        </Button>
      </div>
      <div className="stack" role="status">
        {news?.is === "sent"
          ? (
            <>
              <p>{code.sent(waitOf(news.seconds))}</p>
              <p>
                <Named of={code.tell} name={email} />
              </p>
            </>
          )
          : null}
      </div>
      {news?.is === "failed" ? <NotSent problem={news.problem} /> : null}
    </>
  )
}

const NotSent = ({ problem }: { readonly problem: Problem }) => {
  const { code, made } = useLinkWords()
  const { error, retryAfterSeconds = 60 } = problem
  const text = error === "rate_limited"
    ? code.tooMany(waitOf(retryAfterSeconds))
    : error === "service_unavailable"
    ? code.notSent
    : error === "link_disabled" || error === "link_expired"
    ? made.ended
    : undefined
  return text === undefined ? <Trouble problem={problem} /> : (
    <Notice kind="error" live>
      <p>{text}</p>
    </Notice>
  )
}
