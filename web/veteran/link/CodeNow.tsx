import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { waitOf } from "../../shared/Words.ts"
import { OwnTrouble } from "../OwnTrouble.tsx"
import { Named } from "../sharing/Named.tsx"
import type { CodeMail } from "./CodeMail.ts"
import { useLinkWords } from "./Words.ts"

/** A button that mails the code, and what the veteran tells the front desk. */
export const CodeNow = ({ email, mail: { busy, news, send, wait, wasSent } }: {
  readonly email: string
  readonly mail: CodeMail
}) => {
  const { code, made } = useLinkWords()
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
      {news?.is === "failed"
        ? (
          <OwnTrouble
            problem={news.problem}
            own={{
              rate_limited: code.tooMany(waitOf(news.problem.retryAfterSeconds ?? 60)),
              service_unavailable: code.notSent,
              link_disabled: made.ended,
              link_expired: made.ended
            }}
          />
        )
        : null}
    </>
  )
}
