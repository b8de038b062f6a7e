const patterns = { number: String.raw`\d[\d.,]*`, word: String.raw`\p{L}+` }

export const numbersIn = (where: string) => ({ where, pattern: patterns.number })

export const wordsIn = (where: string) => ({ where, pattern: patterns.word })

/** Runs in the page. Returns the parts of the places' texts that go over two lines, up to 24 characters long. */
export const broken = ({ pattern, where }: { readonly where: string; readonly pattern: string }) => {
  const found: Array<string> = []
  for (const place of document.querySelectorAll(where)) {
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      for (const { 0: part, index } of node.nodeValue!.matchAll(new RegExp(pattern, "gu"))) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + part.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (part.length <= 24 && lines.size > 1) found.push(part)
      }
    }
  }
  return found
}
