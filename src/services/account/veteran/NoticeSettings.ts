import { Context, Effect, Layer } from "effect"
import type { VeteranId } from "../../../domain/Id.ts"
import { defaultNotices, type Notices, type SentNotices } from "../../../domain/Notices.ts"
import * as NoticeRepository from "../../../sql/account/NoticeRepository.ts"
import { Actors } from "../../../sql/Actor.ts"

/** About what a veteran wants mails. */
export class NoticeSettings extends Context.Service<NoticeSettings, {
  readonly read: (veteranId: VeteranId) => Effect.Effect<Notices>
  readonly write: (veteranId: VeteranId, sent: typeof SentNotices.Type) => Effect.Effect<Notices>
}>()("vrss/services/account/veteran/NoticeSettings") {
  static readonly layer = Layer.effect(
    NoticeSettings,
    Effect.map(Actors, ({ asVeteran }) =>
      NoticeSettings.of({
        read: (veteranId) => asVeteran(veteranId)(NoticeRepository.read),
        write: (veteranId, { endings, looks, staleAfterDays }) =>
          asVeteran(veteranId)(NoticeRepository.write({
            looks: looks ?? defaultNotices.looks,
            endings: endings ?? defaultNotices.endings,
            staleAfterDays: staleAfterDays === undefined ? defaultNotices.staleAfterDays : staleAfterDays
          }))
      }))
  )
}
