import { InOtherWords } from "../../shared/pdf/PdfWords.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { NotShown } from "../../shared/ui/NotShown.tsx"
import { OpenPages, useOpenPdf } from "../../shared/ui/PdfPages.tsx"
import { type TabContent, Tabs } from "../../shared/ui/Tabs.tsx"
import type { Channel } from "./Channel.ts"
import { useRecordIn } from "./OpenRelease.ts"
import { Released } from "./Released.tsx"
import { ReleasedPatient } from "./ReleasedPatient.tsx"
import { Unbroken } from "./Unbroken.tsx"
import { useViewWords } from "./ViewLanguage.ts"
import "./view.css"

/** What a link opens: the record that the release carries, and the signed document. */
export const ReleaseView = ({ channel, release }: {
  readonly channel: Channel
  readonly release: Uint8Array<ArrayBuffer>
}) => {
  const view = useViewWords()
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
  if (pdf === undefined || record === undefined) {
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
  return (
    <main className="view">
      {record === "none"
        ? (
          <>
            <h1>{view.document}</h1>
            {noRecord}
            {signed.content}
          </>
        )
        : (
          <>
            <ReleasedPatient authorization={record.authorization} />
            <Tabs
              label={view.tabs}
              of={[
                {
                  name: view.record,
                  content: (
                    <Unbroken instead={noRecord}>
                      <Released record={record} />
                    </Unbroken>
                  )
                },
                signed
              ]}
            />
          </>
        )}
    </main>
  )
}
