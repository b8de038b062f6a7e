/**
 * The ids that the veteran wanted to stop when the session ended. After the next sign-in the same question is asked
 * again. Only ids are kept, in memory.
 */
let ids: ReadonlyArray<string> = []

export const rememberStop = (asked: ReadonlyArray<string>) => {
  ids = asked
}

export const rememberedStop = () => ids
