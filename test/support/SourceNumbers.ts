/** Returns the numbers of a resource's own elements as its text writes them. Does not use the code under test. */
export const numbersOf = (text: string): ReadonlyArray<string> => {
  const walk = (json: any): ReadonlyArray<string> =>
    typeof json !== "object" || json === null
      ? []
      : json instanceof Sent
      ? [json.source]
      : Object.entries(json).flatMap(([name, value]) =>
        ["contained", "meta", "extension"].includes(name) ? [] : walk(value)
      )
  const keepSource = (_: string, value: unknown, context?: { readonly source: string }) =>
    typeof value === "number" ? new Sent(context!.source) : value
  return walk(JSON.parse(text, keepSource))
}

class Sent {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** Returns the decimal numbers in a text for people, with all their digits. */
export const decimals = (text: string) => text.match(/(?<![\w.+-])-?\d+\.\d+(?:[eE][+-]?\d+)?(?![\w.])/g) ?? []
