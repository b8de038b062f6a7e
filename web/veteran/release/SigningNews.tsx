import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Refused } from "./Refused.tsx"
import type { Signing } from "./Signing.ts"
import { useReleaseWords } from "./Words.ts"

/** What became of the latest press: nobody knows yet, it was not signed, or the service refused it. */
export const SigningNews = ({ onChange, signing }: {
  readonly signing: Pick<Signing, "isDoubtful" | "look" | "looking" | "problem" | "wasNot">
  readonly onChange: () => void
}) => {
  const { doubt } = useReleaseWords()
  const { isDoubtful, look, looking, problem, wasNot } = signing
  if (isDoubtful) {
    return (
      <>
        <Notice kind="error" live title={doubt.title}>
          <p>{doubt.text}</p>
          <div className="actions">
            <Button kind="outline" busy={looking} onClick={look}>{doubt.look}</Button>
          </div>
        </Notice>
        <Loading when={looking}>{doubt.looking}</Loading>
      </>
    )
  }
  if (wasNot) return <Notice kind="info" live title={doubt.not}>{doubt.notText}</Notice>
  return problem === undefined ? null : <Refused problem={problem} onChange={onChange} />
}
