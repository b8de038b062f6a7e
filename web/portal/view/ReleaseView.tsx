import { useState } from "react"
import type { Person } from "../../../src/clinical/Person.ts"
import { InOtherWords } from "../../shared/pdf/PdfWords.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { NotShown } from "../../shared/ui/NotShown.tsx"
import { OpenPages, useOpenPdf } from "../../shared/ui/PdfPages.tsx"
import { type TabContent, Tabs } from "../../shared/ui/Tabs.tsx"
import { Unbroken } from "../../shared/ui/Unbroken.tsx"
import type { Channel } from "./Channel.ts"
import { useRecordIn } from "./OpenRelease.ts"
import { Released } from "./Released.tsx"
import { ReleasedPatient } from "./ReleasedPatient.tsx"
import { useViewWords } from "./ViewLanguage.ts"
import "./view.css"

interface ReleaseProperties {
  readonly channel: Channel
  readonly release: Uint8Array<ArrayBuffer>
}

/** What a link opens: the record that the release carries, and the signed document. Either may fail to render. */
export const ReleaseView = (release: ReleaseProperties) => (
  <Unbroken instead={<NotShown />}>
    <OpenedRelease {...release} />
  </Unbroken>
)

const OpenedRelease = ({ channel, release }: ReleaseProperties) => {
  const view = useViewWords()
  const [patient, setPatient] = useState<Person | null>()
  const open = useOpenPdf(release)
  const pdf = open === "failed" ? undefined : open
  const record = useRecordIn(pdf?.file, channel)
  if (open === "failed") {
    return (
      <main className="view">
        <h1>{view.document}</h1>
        <NotShown />
      </main>
    )
  }
  if (pdf === undefined) {
    return (
      <main className="view">
        <Loading>{view.opening}</Loading>
      </main>
    )
  }
  const signed: TabContent = {
    name: view.document,
    content: (
      <section className="card stack">
        <h2>{view.document}</h2>
        <InOtherWords value={view.pdf}>
          <OpenPages {...pdf} />
        </InOtherWords>
      </section>
    )
  }
  const noRecord = <Notice kind="warning">{view.noRecord}</Notice>
  if (record === "none") {
    return (
      <main className="view">
        <h1>{view.document}</h1>
        {noRecord}
        {signed.content}
      </main>
    )
  }
  // The signed document does not wait for the record, which is attached to it.
  return (
    <main className="view">
      {record === undefined
        ? <h1>{view.document}</h1>
        : <ReleasedPatient authorization={record.authorization} patient={patient} />}
      <Tabs
        label={view.tabs}
        of={[
          {
            name: view.record,
            content: record === undefined
              ? <Loading>{view.opening}</Loading>
              : (
                <Unbroken instead={noRecord}>
                  <Released record={record} patient={patient} onPatient={setPatient} />
                </Unbroken>
              )
          },
          signed
        ]}
      />
    </main>
  )
}
