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
    "प्रिया शर्मा",
    "VA Medical Center - 10th Floor",
    "Bldg. 500",
    "Dept. of Veterans Affairs",
    "Gray & Sons Family Practice, Inc.",
    "Maria del Carmen Ortiz-Vega, M.D., Ph.D.",
    "José Luis Núñez Peña",
    "Dra. Ma. de los Ángeles Ybarra",
    "Clínica Ntra. Sra. de la Salud",
    "Hnos. García, S.A. de C.V.",
    "Centro Médico Dr. Ramón E. Betances",
    "Punto de Salud",
    "Polka Dot Clinic",
    "Dot Gray",
    "24/7 Urgent Care #2",
    "OB/GYN Associates of Waco",
    "Hospital & Medical Assoc. of Ohio",
    "St. Luke's Univ. Hosp. - Bldg. 12, Rm. 7",
    "Mt. Sinai Psych. Services",
    "Two Rivers Clinic",
    "Seven Hills V.A. Clinic",
    "VFW Post 855 Auxiliary",
    "American Legion Post 888 Springfield",
    "Bldg. 800 Mental Health",
    "Suite 800, Oslo Tower",
    "Camp 844",
    "O2 Sleep Lab",
    "MyHealth 2.0",
    "BlueStar+ (beta)",
    "App4Vets",
    "eHealth_Link",
    "1st Choice Home Care, L.L.C.",
    "3M Health",
    "Sgt. Maj. (ret.) T. J. O'Hara III",
    "Jean-Luc d'Arcy Jr.",
    "Lt. Col. Ana Ruiz, R.N.",
    "Nguyễn Thị Ánh",
    "Zoë Åkerström-Müller",
    "Владимир Петров",
    "100% Veteran Owned Rehab.",
    "Texas A&M Health, 2nd Fl.",
    "988",
    "U.S. Naval Hospital, Ward 5B",
    "Clinic of the University of Northern Colorado at Greeley and Longmont",
    "x".repeat(70)
  ])("%s", (name) => assert.strictEqual(nameInMail(name), name))

  test.each([
    ["Dr．Ｇ Gray", "Dr.G Gray"],
    ["Ａｄａ\u3000Gray", "Ada Gray"],
    ["Centro de Salud Nº 3", "Centro de Salud No 3"],
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
    "1٢३４𝟓",
    "800O555O0199",
    "5x5x5x0x1x9x9",
    "8OO-2OO-lOOO",
    "call 8OO 2OO IOOO",
    "Clinic 800, then 555, then 01",
    "five five five zero one",
    "Ocho cero cero cinco cinco",
    "nine-1 one-2 three",
    "1-800-VETERAN",
    "１－８００－ＶＥＴＥＲＡＮ",
    "1 (888) VET-HELP",
    "Call 1-877-MY-CLAIM today",
    "800 VETERAN",
    "800.GO.FEDEX",
    "1800CONTACTS",
    "855-CONTACTS",
    "1 833 BENEFITS",
    "1-800-4-CANCER",
    "844-4-CANCER"
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
    "<b>Gray</b>",
    "evil dot example",
    "evil (dot) example",
    "evil-dot-example",
    "malo punto ejemplo",
    "Evil Dot Com",
    "EVIL PUNTO COM",
    "evildotcom",
    "evil point org",
    "evil . com",
    "evil. com",
    "https evil",
    "http//evil",
    "evil/"
  ])("an address or a link: %j", (name) => assert.isUndefined(nameInMail(name)))

  test.each([
    "Your VA benefits are frozen. Call and ask for Mr. Smith",
    "YOUR BENEFITS ARE FROZEN. CALL MR. SMITH",
    "Sus beneficios se terminan. Llame al Sr. Ruiz",
    "Your benefits end... Call Mr. Smith",
    "Your benefits end… Call Mr. Smith",
    "You won a prize!",
    "Frozen benefits? Ask Mr. Smith",
    "¿Perdió sus beneficios？ Llame",
    "Call now‼ Ask for Smith",
    "您的福利已冻结。"
  ])("a sentence: %j", (name) => assert.isUndefined(nameInMail(name)))

  test.each(["Gray\nBcc: eve", "Gray\u2028", "Gray\u202eyarG", "Gr\u00aday", "Gray\u0000", "x".repeat(71),
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

test("No mail shows five digits, in any script and with anything between them", () => {
  for (let n = 0; n < runs(20_000); n++) {
    const number = Array.from({ length: 5 }, digit).join("\0").replaceAll(
      "\0",
      () => some([...separators, ...letters], 3)
    )
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
      /[@＠:。｡．]|\/(?![\p{L}\p{N}])|\.\p{L}{2}|\bwww\b|\p{C}/u
    )
    assert.strictEqual(nameInMail(name), name)
  }
  assert.isAbove(shown, runs(20_000) / 10)
})
