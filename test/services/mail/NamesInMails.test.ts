import { assert, describe, test } from "vitest"
import { nameInMail } from "../../../src/services/mail/NamesInMails.ts"
import { pick, seededRandom } from "../../support/Random.ts"
import { runs } from "../../support/Runs.ts"

describe("A mail shows a name", () => {
  test.each([
    "St. Mary's Clinic 2",
    "Dr. A. B. Gray",
    "J.R. Ewing",
    "Smith, M.D.",
    "U.S. Department of Veterans Affairs",
    "O'Neil-Ångström",
    "Ward 12 (North), Floor 3",
    "Veterans 2026",
    "Gal·la Núñez",
    "محمد علي",
    "王小明",
    "ジョン・スミス",
    "प्रिया शर्मा"
  ])("%s", (name) => assert.strictEqual(nameInMail(name), name))

  test.each([
    ["Dr．Ｇ Gray", "Dr.G Gray"],
    ["Ａｄａ\u3000Gray", "Ada Gray"],
    ["Zoe\u0308", "Zoë"]
  ])("%j as NFKC writes it: %j", (text, name) => assert.strictEqual(nameInMail(text), name))
})

describe("A mail leaves out", () => {
  test.each([
    "Your VA benefits are frozen. Call 1-800-555-0199 now and ask for Mr. Smith",
    "12345",
    "(1) 80.05",
    "1 2 3 4 5",
    "1\u03012\u03013\u03014\u03015",
    "1\u31642\u31643\u31644\u31645",
    "1\u034f2\u034f3\u034f4\u034f5",
    "1\u28002\u28003\u28004\u28005",
    "1️⃣2️⃣3️⃣4️⃣5️⃣",
    "①②③④⑤",
    "❶❷❸❹❺",
    "𝟏𝟐𝟑𝟒𝟓",
    "５-５-５-０-１",
    "١٢٣٤٥",
    "१२३ ४५",
    "一八〇〇五",
    "1٢३４𝟓"
  ])("a telephone number: %j", (name) => assert.isUndefined(nameInMail(name)))

  test.each([
    "eve@evil.example",
    "＠evil．example visit evil．example",
    "eve﹫evil",
    "evil.example",
    "evil。example",
    "evil｡example",
    "evil．example",
    "evil﹒example",
    "evil․example",
    "evil︒example",
    "evil۔com",
    "evil।com",
    "例。中",
    "evil.\u{e0100}example",
    "evil.\u115fexample",
    "evil\u3164.example",
    "Dr.Smith",
    "http://evil",
    "ｈｔｔｐ：／／evil",
    "evil\\share",
    "Win at WWW evil",
    "ｗｗｗ evil",
    "<b>Gray</b>"
  ])("an address or a link: %j", (name) => assert.isUndefined(nameInMail(name)))

  test.each(["Gray\nBcc: eve", "Gray\u2028", "Gray\u202eyarG", "Gr\u00aday", "Gray\u0000", "x".repeat(101),
    "ﷺ".repeat(6)])(
      "what no name is written with, or what is too long: %j",
      (name) => assert.isUndefined(nameInMail(name))
    )
})

const random = seededRandom(48)

const some = (values: ReadonlyArray<string>, most: number) =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(values, random)).join("")

const separators = [" ", "-", ".", "(", ")", "+", "\u00b7", "\u0301", "\u3164", "\u2060", "\ufe0f", "\u2800", "_", "·"]

const zeros = [0x30, 0x660, 0x6f0, 0x966, 0xff10, 0x1d7ce]

const digit = () => String.fromCodePoint(pick(zeros, random) + Math.floor(random() * 10))

const letters = ["a", "Z", "é", "ж", "عل", "王", " ", "'", ","]

test("No mail shows five digits in a row, in any script and with anything but letters between them", () => {
  for (let n = 0; n < runs(20_000); n++) {
    const number = Array.from({ length: 5 }, digit).join("\0").replaceAll("\0", () => some(separators, 3))
    const text = some(letters, 5) + number + some(letters, 5)
    assert.isUndefined(nameInMail(text), JSON.stringify(text))
  }
})

test("A text that a mail shows has no @, no link and no host, and is shown alike once more", () => {
  const pieces = [...letters, ...separators, "@", "＠", "。", "．", "｡", "/", ":", "www", "7", "٣", "b", "c", "d"]
  let shown = 0
  for (let n = 0; n < runs(20_000); n++) {
    const name = nameInMail(some(pieces, 8))
    if (name === undefined) continue
    shown++
    assert.notMatch(
      name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ""),
      /[@＠:/。｡．]\p{L}|\.\p{L}{2}|\bwww\b|\p{C}/u
    )
    assert.strictEqual(nameInMail(name), name)
  }
  assert.isAbove(shown, runs(20_000) / 10)
})
