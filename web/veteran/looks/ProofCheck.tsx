import { Effect } from "effect"
import { useState } from "react"
import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import type { InclusionProof } from "../../../src/domain/Proof.ts"
import { timeWords } from "../../shared/Dates.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { useSending } from "../../shared/Sending.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { me } from "../session/Own.ts"
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
  const { busy, off, problem, send } = useSending()
  const [checked, setChecked] = useState<Checked>()
  const check = () => {
    setChecked(undefined)
    const params = { ...me, disclosureId: line.id }
    const asked = session.call(({ disclosureProof, proofs }) =>
      Effect.all([disclosureProof.inclusion({ params }), proofs.key()], { concurrency: 2 })
    )
    send(
      Effect.flatMap(
        asked,
        ([proof, text]) => typeof proof === "string" ? Effect.undefined : judged(proof, text.trim())
      ),
      setChecked
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
      <Action kind="outline" busy={busy} off={off} onClick={check}>{words.check}</Action>
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
      <Action
        kind="link"
        onClick={() => saveFile(new Blob([JSON.stringify(proof, undefined, 2), "\n"]), "line-of-the-log.json")}
      >
        {words.save}
      </Action>
    </>
  )
}
