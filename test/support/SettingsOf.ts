import { ConfigProvider, Layer } from "effect"
import { Settings } from "../../src/services/platform/Settings.ts"

/** The settings of a process with this environment. Layers are shared by reference, so each test gets its own. */
export const settingsOf = (environment: Readonly<Record<string, string>> = {}) =>
  Layer.fresh(Settings.layer).pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ APP_ENV: "test", ...environment })))
  )
