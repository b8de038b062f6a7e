import { Schema } from "effect"
import { openNews } from "../../shared/session/WindowNews.ts"

/** Tells the other windows of the same browser that the veteran has confirmed that they are there. */
const ConfirmNews = Schema.Struct({ is: Schema.Literal("confirmed"), veteranId: Schema.String })

export const openConfirmNews = () => openNews(ConfirmNews)
