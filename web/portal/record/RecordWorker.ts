import type { ToThread } from "../../shared/record/Messages.ts"
import { RecordThread, tell } from "../../shared/record/RecordThread.ts"
import { resourcesOf, withItemWarnings } from "../view/ReleasedBundle.ts"
import { recordBundle } from "./RecordBundle.ts"
import { SharedPages } from "./SharedPages.ts"

/** The thread of the portal's pages: it reads what a patient shares, or the record that a release brings. */
const thread = new RecordThread(({ access, veteranId }, listener) => new SharedPages(veteranId, access, listener))

addEventListener("message", ({ data }: MessageEvent<ToThread>) => {
  switch (data.ask) {
    case "released": {
      const { about, bytes, veteran } = data
      return void thread.readWhole(() => {
        const types = resourcesOf(bytes, veteran)
        return { types, bytes, about: withItemWarnings(bytes, types, about, veteran) }
      })
    }
    case "bundle":
      return tell({ is: "bundle", bundle: recordBundle(data.frame, thread.reading.exact()) })
    default:
      return thread.hear(data)
  }
})
