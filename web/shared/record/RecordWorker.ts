import type { ToThread } from "./Messages.ts"
import { RecordThread } from "./RecordThread.ts"
import { checked, resourcesOf } from "./ReleasedBundle.ts"
import { SharedPages } from "./SharedPages.ts"

/** The thread of the portal's pages: it reads what a patient shares, or the record that a release brings. */
const thread = new RecordThread(({ access, veteranId }, listener) => new SharedPages(veteranId, access, listener))

addEventListener("message", ({ data }: MessageEvent<ToThread>) => {
  if (data.ask !== "released") return thread.hear(data)
  const { about, bytes, veteran } = data
  void thread.readWhole(() => {
    const types = resourcesOf(bytes)
    return { types, bytes, about: checked(bytes, types, about, veteran) }
  })
})
