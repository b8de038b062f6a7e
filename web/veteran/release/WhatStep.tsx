import type { DocumentId } from "../../../src/domain/Id.ts"
import { maxReleaseItems } from "../../../src/domain/ReleaseRefusals.ts"
import type { State } from "../../shared/Call.ts"
import { Field } from "../../shared/ui/Field.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { addressOf } from "../Route.ts"
import { KindsChoice } from "../share/KindsChoice.tsx"
import { NotSearched } from "../share/NotSearched.tsx"
import { ProtectedSwitches } from "../share/ProtectedSwitches.tsx"
import type { RecordKinds } from "../share/RecordKinds.ts"
import { StepForm } from "../share/StepForm.tsx"
import { useShareWords } from "../share/Words.ts"
import { protectedWords } from "../sharing/SharingWords.ts"
import { DocumentsCard } from "./DocumentsCard.tsx"
import { itemsOf } from "./Items.ts"
import { Mend, useMending } from "./Mend.tsx"
import type { StepProps } from "./Step.ts"
import { useReleaseWords } from "./Words.ts"
import { wrongWhat } from "./Wrong.ts"

/** Chooses what the release carries: kinds, dates, documents, and each protected part by its own switch. */
export const WhatStep = ({ again, change, draft, kinds, onBack, onNext, refused, replaced }: StepProps & {
  readonly kinds: State<RecordKinds>
  readonly again: () => void
  /** The protected parts of the release that this one replaces. They are never turned on by themselves. */
  readonly replaced: ReadonlyArray<string>
}) => {
  const { replaced: replacing, what } = useReleaseWords()
  const { parts, what: shared } = useShareWords()
  const { check, clear, errorOf, wrong } = useMending(refused)
  const { categories, dateFrom, dateTo, documents, kinds: chosen } = draft
  const known = kinds.is === "done" ? kinds.value : undefined
  const choose = (next: ReadonlyArray<string> | null) => {
    clear("kinds")
    change({ kinds: next })
  }
  const chooseDocument = (id: DocumentId, on: boolean) => {
    clear("documents")
    change({ documents: on ? [...documents, id] : documents.filter((one) => one !== id) })
  }
  const wrongParts = errorOf("categories")
  return (
    <StepForm
      heading={what.heading}
      onBack={onBack}
      onSubmit={() => check(wrongWhat(draft, known?.all)) ? onNext() : undefined}
    >
      <Mend wrong={wrong} />
      <p>{what.frozen} {what.ownWords}</p>
      {known !== undefined && Object.keys(known.manifest).length === 0
        ? (
          <Notice kind="warning">
            <p>
              {what.none} <a href={addressOf({ screen: "update" })}>{what.update}</a>
            </p>
          </Notice>
        )
        : null}
      <div className="card stack">
        <KindsChoice
          words={{ ...shared, all: what.all }}
          error={errorOf("kinds")}
          all={known?.all}
          chosen={chosen}
          onChange={choose}
        >
          <Reading of={{ state: kinds, again }} />
        </KindsChoice>
        {known !== undefined && itemsOf(known.manifest, chosen ?? known.all) > maxReleaseItems
          ? <Notice kind="info">{what.many}</Notice>
          : null}
      </div>
      <section className="card stack">
        <h2>{what.protectedParts}</h2>
        <p>{what.protectedText}</p>
        {replaced.length === 0 ? null : <p>{replacing.parts(protectedWords(replaced))}</p>}
        {wrongParts === undefined ? null : <span className="usa-error-message">{wrongParts}</span>}
        <ProtectedSwitches
          data-place="categories"
          chosen={categories.map(({ category }) => category)}
          onChange={(category, on) => {
            clear("categories")
            const others = categories.filter((one) => one.category !== category)
            change({ categories: on ? [...others, { category, acceptedAt: new Date() }] : others })
          }}
        />
        <details>
          <summary>{parts.limits}</summary>
          <NotSearched />
        </details>
      </section>
      <DocumentsCard chosen={documents} error={errorOf("documents")} onChange={chooseDocument} />
      <section className="card stack">
        <h2>{what.dates}</h2>
        <p className="soft">{what.datesHint}</p>
        {(["dateFrom", "dateTo"] as const).map((part) => (
          <Field
            key={part}
            label={part === "dateFrom" ? what.from : what.to}
            type="date"
            max="9999-12-31"
            error={errorOf(part)}
            data-place={part}
            value={part === "dateFrom" ? dateFrom : dateTo}
            onChange={({ target }) => {
              clear("dateFrom", "dateTo")
              change({ [part]: target.value })
            }}
          />
        ))}
      </section>
    </StepForm>
  )
}
