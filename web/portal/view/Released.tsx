import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { useSpoken } from "../../shared/language/Language.ts"
import { warningsOf } from "../../shared/record/glance/Completeness.ts"
import { FirstGlance } from "../../shared/record/glance/FirstGlance.tsx"
import { Items } from "../../shared/record/items/Items.tsx"
import { firstView, type ItemsView } from "../../shared/record/items/ItemsView.ts"
import type { KindFilter } from "../../shared/record/items/Kinds.ts"
import { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { aboutOf } from "./Authorization.ts"
import type { ReleasedRecord } from "./OpenRelease.ts"
import { StandsFrom } from "./StandsFrom.tsx"
import { useViewWords } from "./ViewLanguage.ts"
import "../record/record.css"
import "../../shared/record/glance/glance.css"
import "../../shared/record/items/items.css"

/** The record that a release carries, in the portal's view. Its thread ends with this component. */
export const Released = ({ record: { authorization, bundle } }: { readonly record: ReleasedRecord }) => {
  const view = useViewWords()
  const [record, setRecord] = useState<OpenRecord>()
  useEffect(() => {
    const opened = new OpenRecord({ ask: "released", bytes: bundle, about: aboutOf(authorization) })
    setRecord(opened)
    return () => {
      setRecord(undefined)
      opened.close()
    }
  }, [authorization, bundle])
  return (
    <div className="record">
      <StandsFrom authorization={authorization} />
      {record === undefined ? <Loading>{view.opening}</Loading> : <Reading record={record} />}
    </div>
  )
}

const Reading = ({ record }: { readonly record: OpenRecord }) => {
  const view = useViewWords()
  const { language } = useSpoken()
  const state = useSyncExternalStore(record.subscribe, record.current)
  const [shown, setShown] = useState<ItemsView>(firstView)
  const items = useRef<HTMLHeadingElement>(null)
  const showAll = useCallback((kind: KindFilter) => {
    setShown({ ...firstView, kind })
    items.current?.focus()
    items.current?.scrollIntoView()
  }, [])
  const showItem = useCallback((open: number) => {
    const opener = document.activeElement
    setShown({ ...firstView, open, opener: opener instanceof HTMLElement ? opener : undefined })
  }, [])
  const { about, failure } = state
  if (failure !== undefined) return <Notice kind="warning" live>{view.noRecord}</Notice>
  if (about === undefined) return <Loading>{view.opening}</Loading>
  const warnings = warningsOf(about)
  return (
    <>
      {language === "en" ? null : <p className="soft">{view.asRecorded}</p>}
      <div className="record" lang="en-US">
        {warnings.length === 0 ? null : (
          <Notice kind="warning" title="Parts of this record are not up to date">
            <ul className="warnings">
              {warnings.map(({ names, text }) => (
                <li key={text}>
                  <b>{names}</b> {text}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <FirstGlance about={about} state={state} onAll={showAll} onItem={showItem} />
        <Items record={record} state={state} shown={shown} setShown={setShown} heading={items} />
      </div>
    </>
  )
}
