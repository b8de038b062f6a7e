/** The numbers of a resource's own elements as its text has them, read without the code under test. */
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

/** The decimals in a text for people, digit by digit. */
export const decimals = (text: string) => text.match(/(?<![\w.+-])-?\d+\.\d+(?:[eE][+-]?\d+)?(?![\w.])/g) ?? []
