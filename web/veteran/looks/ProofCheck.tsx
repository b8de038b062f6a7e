import { Effect } from "effect"
import { useState } from "react"
import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import type { InclusionProof } from "../../../src/domain/Proof.ts"
import { useAction } from "../../shared/Call.ts"
import { timeWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { checkInclusion, type Verdict } from "./InclusionCheck.ts"
import { isKnownKey } from "./LogKey.ts"
import { useLooksWords } from "./Words.ts"

interface Checked {
  readonly verdict: Verdict
  readonly proof: InclusionProof
  readonly keyText: string
  readonly at: Date
}

/** Checks on this device that a line is in the signed log. Nothing that the service says is believed. */
export const ProofCheck = ({ line }: { readonly line: Disclosure }) => {
  const session = useSession()
  const { proof: words } = useLooksWords()
  const { busy, start } = useAction()
  const offline = useOffReason()
  const [checked, setChecked] = useState<Checked>()
  const [problem, setProblem] = useState<Problem>()
  const check = () => {
    setChecked(undefined)
    setProblem(undefined)
    const params = { veteranId: "me", disclosureId: line.id } as const
    const asked = session.call(({ disclosureProof, proofs }) =>
      Effect.all([disclosureProof.inclusion({ params }), proofs.key()], { concurrency: 2 })
    )
    start(
      Effect.flatMap(
        asked,
        ([proof, text]) => typeof proof === "string" ? Effect.undefined : judged(proof, text.trim())
      ),
      (outcome) => outcome.is === "done" ? setChecked(outcome.value) : setProblem(outcome.problem)
    )
  }
  const judged = (proof: InclusionProof, key: string) =>
    Effect.promise(async (): Promise<Checked> => ({
      verdict: isKnownKey(session, key)
        ? await checkInclusion(proof, { ...line, veteranId: session.veteranId }, key)
        : "mismatch",
      proof,
      keyText: key,
      at: new Date()
    }))
  return (
    <div className="stack">
      <div className="actions">
        <Button kind="outline" busy={busy} off={offline} onClick={check}>{words.check}</Button>
      </div>
      <Loading when={busy} />
      <div role="status">{checked === undefined || checked.verdict === "mismatch" ? null : <Good {...checked} />}</div>
      {checked?.verdict === "mismatch"
        ? (
          <Notice kind="error" live>
            <p>{words.mismatch}</p>
            <Details {...checked} />
          </Notice>
        )
        : null}
      {problem === undefined
        ? null
        : problem.error === "conflict"
        ? <p role="status">{words.notYet}</p>
        : <Trouble problem={problem} again={check} />}
    </div>
  )
}

const Good = (checked: Checked) => {
  const { proof: words } = useLooksWords()
  return (
    <Notice kind={checked.verdict === "proved" ? "success" : "warning"}>
      <p>{checked.verdict === "proved" ? words.proved(timeWords(checked.at)) : words.unsigned}</p>
      <Details {...checked} />
    </Notice>
  )
}

const Details = ({ keyText, proof }: Checked) => {
  const { proof: words } = useLooksWords()
  return (
    <>
      <details>
        <summary>{words.what}</summary>
        <Facts
          of={[
            [words.line, words.of(proof.index + 1, proof.treeSize)],
            [words.key, <code key="key">{keyText}</code>]
          ]}
        />
      </details>
      <div className="actions">
        <Button
          kind="link"
          onClick={() => saveFile(new Blob([JSON.stringify(proof, undefined, 2), "\n"]), "line-of-the-log.json")}
        >
          {words.save}
        </Button>
      </div>
    </>
  )
}
