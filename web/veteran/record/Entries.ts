import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import { allPages } from "../../shared/AllPages.ts"
import type { Client } from "../AppClient.ts"
import { me } from "../session/Own.ts"

/** The categories in their order: in the form, and in the list. */
export const categories: ReadonlyArray<Entry["category"]> = ["symptom", "medication", "allergy", "vital", "note"]

/** All entries, newest first. */
export const allEntries = ({ selfReported }: Client) => allPages((query) => selfReported.list({ params: me, query }))
