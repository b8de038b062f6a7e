import { useCallback, useEffect, useState } from "react"
import { useDraft } from "../../shared/Drafts.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Done } from "../release/Done.tsx"
import { Doubted } from "../release/Doubted.tsx"
import { newRelease } from "../release/Draft.ts"
import { type BegunRelease, step, useReleaseMemory } from "../release/Memory.ts"
import "../release/release.css"
import type { Signed } from "../release/Doubt.ts"
import { useReplaced } from "../release/Replaced.ts"
import { Wizard } from "../release/Wizard.tsx"
import { useReleaseWords } from "../release/Words.ts"
import { addressOf } from "../Route.ts"
import { carriedEmail } from "../share/Carried.ts"
import "../share/share.css"

const fresh: BegunRelease = { draft: newRelease, step: step.who, attempt: undefined }

/** S11: signs a release in five steps, also one that ends the release that `replaces` names. */
export const Release = ({ replaces }: { readonly replaces?: string }) => {
  const address = addressOf({ screen: "release", ...(replaces === undefined ? {} : { replaces }) })
  const { begun, forget, isLost, keep, leave } = useReleaseMemory(address)
  const [carried, setCarried] = useDraft<string | undefined>(carriedEmail, undefined)
  const [email] = useState(carried)
  const [signed, setSigned] = useState<Signed>()
  const [doubted, setDoubted] = useState(begun?.attempt)

  useEffect(() => setCarried(undefined), [setCarried])

  // A lock takes the screen away and keeps its address. Anything else that takes it away ends the release, unless
  // nobody knows yet whether it was signed.
  useEffect(() => () => {
    if (location.hash !== address) leave()
  }, [address, leave])

  const onSigned = useCallback((signed: Signed) => {
    forget()
    setSigned(signed)
  }, [forget])

  const wizard = { keep, isLost, onSigned }
  const carriedTo: BegunRelease = email === undefined
    ? fresh
    : { ...fresh, draft: { ...newRelease, recipient: { ...newRelease.recipient, email } } }
  return (
    <>
      <Offline />
      {signed !== undefined
        ? <Done {...signed} />
        : doubted !== undefined
        ? <Doubted attempt={doubted} onNot={() => setDoubted(undefined)} onSigned={onSigned} />
        : replaces !== undefined
        ? <Replacing {...wizard} begun={begun} replaces={replaces} />
        : <Wizard {...wizard} begin={begun === undefined ? carriedTo : known(begun)} replaced={undefined} />}
    </>
  )
}

/** The attempt of a release that is shown again is settled. */
const known = (begun: BegunRelease): BegunRelease => ({ ...begun, attempt: undefined })

const Replacing = ({ begun, replaces, ...wizard }:
  & Omit<Parameters<typeof Wizard>[0], "begin" | "replaced">
  & { readonly begun: BegunRelease | undefined; readonly replaces: string }) =>
{
  const { replaced: words } = useReleaseWords()
  const reading = useReplaced(replaces)
  const { state } = reading
  if (state.is === "done" && state.value !== undefined) {
    return (
      <Wizard
        {...wizard}
        replaced={state.value}
        begin={begun !== undefined ? known(begun) : { draft: state.value.draft, step: step.who, attempt: undefined }}
      />
    )
  }
  return (
    <>
      <Heading>{words.title}</Heading>
      <Reading of={reading} loading={words.reading}>
        {() => (
          <section className="card stack">
            <p>{words.over}</p>
            <div className="actions">
              <a className="usa-button" href={addressOf({ screen: "release" })}>{words.fresh}</a>
            </div>
          </section>
        )}
      </Reading>
    </>
  )
}
