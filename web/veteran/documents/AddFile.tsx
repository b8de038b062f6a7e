import { type ChangeEvent, useEffect, useRef } from "react"
import { listen } from "../../shared/Listen.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import type { Adding } from "./Adding.ts"
import { useDocumentsWords } from "./Words.ts"

/** The kinds that a browser offers. Another kind that is chosen anyway is judged by the service. */
const accepted = "image/jpeg,image/png,application/pdf"

/** Asks for a photo or file: from the device, from its camera, or dropped onto the page. */
export const AddFile = ({ adding: { choose, isReading }, off }: {
  readonly adding: Pick<Adding, "choose" | "isReading">
  readonly off: string | undefined
}) => {
  const { add } = useDocumentsWords()
  const file = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  useDropped(choose)
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    choose([...target.files ?? []])
    // The same file may be chosen once more.
    target.value = ""
  }
  return (
    <section className="card stack" aria-labelledby="add-a-file">
      <h2 id="add-a-file">{add.title}</h2>
      <p className="soft" id="add-a-file-hint">{add.hint}</p>
      <div className="actions">
        <Button busy={isReading} off={off} onClick={() => file.current?.click()}>{add.choose}</Button>
        {matchMedia("(pointer: coarse)").matches
          ? <Button kind="outline" busy={isReading} onClick={() => camera.current?.click()}>{add.camera}</Button>
          : null}
      </div>
      <input ref={file} type="file" hidden accept={accepted} onChange={take} />
      <input ref={camera} type="file" hidden accept={accepted} capture="environment" onChange={take} />
      <Loading when={isReading}>{add.reading}</Loading>
    </section>
  )
}

/** Takes files that are dropped anywhere on the page. Without this, the browser would leave the app and open them. */
const useDropped = (choose: Adding["choose"]) => {
  const take = useRef(choose)
  useEffect(() => {
    take.current = choose
  })
  useEffect(() => {
    const drop = (event: DragEvent) => {
      event.preventDefault()
      take.current([...event.dataTransfer?.files ?? []])
    }
    return listen({ dragover: (event) => event.preventDefault(), drop })
  }, [])
}
