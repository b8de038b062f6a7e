import type { ToThread } from "../../shared/record/Messages.ts"
import { RecordThread } from "../../shared/record/RecordThread.ts"
import { OwnPages } from "./OwnPages.ts"

/** The thread of the veteran's app that reads the veteran's own record. */
const thread = new RecordThread(({ access, veteranId }, listener) => new OwnPages(veteranId, access, listener))

addEventListener("message", ({ data }: MessageEvent<ToThread>) => thread.hear(data))
