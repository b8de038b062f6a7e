import type { SharingKind } from "../../../src/domain/Sharing.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { stoppedWords } from "./SharingWords.ts"
import type { Stop, Stopping } from "./Stopping.ts"

/** The words of the button that stops a sharing of this kind. */
export const stopWords: Readonly<Record<SharingKind, string>> = {
  provider: "Stop sharing",
  app: "Stop sharing",
  link: "Turn off link",
  release: "End release"
}

/** Asks before a stop. The focus begins on the button that keeps everything as it is. */
export const StopDialog = ({ asked, busy, confirm, keep }: Pick<Stopping, "asked" | "busy" | "confirm" | "keep">) => {
  const [first] = asked?.items ?? []
  if (asked === undefined || first === undefined) return null
  return (
    <Dialog title={asked.all ? "Stop everything?" : <Question of={first} />} onCancel={keep}>
      {asked.all ? <p>This stops {stoppedWords(numbersOf(asked))}.</p> : null}
      <p>
        They lose access right away. We can’t take back what they read, printed or saved.
      </p>
      <div className="actions">
        <Button kind="outline" onClick={keep}>{asked.all ? "Keep everything" : keepWords[first.kind]}</Button>
        <Button kind="stop" busy={busy} onClick={confirm}>
          {asked.all ? "Stop everything" : stopWords[first.kind]}
        </Button>
      </div>
    </Dialog>
  )
}

const keepWords: Readonly<Record<SharingKind, string>> = {
  provider: "Keep sharing",
  app: "Keep sharing",
  link: "Keep link",
  release: "Keep release"
}

const Question = ({ of }: { readonly of: Stop["items"][number] }) => {
  const name = <bdi>{of.who.name}</bdi>
  switch (of.kind) {
    case "link":
      return <>Turn off the link for {name}?</>
    case "release":
      return <>End the release for {name}?</>
    default:
      return <>Stop sharing with {name}?</>
  }
}

const numbersOf = ({ items }: Stop) => {
  const count = (kind: SharingKind) => items.filter((item) => item.kind === kind).length
  return { provider: count("provider"), app: count("app"), link: count("link"), release: count("release") }
}
