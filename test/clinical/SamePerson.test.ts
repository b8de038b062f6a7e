import { assert, describe, it } from "@effect/vitest"
import { isAnother } from "../../src/clinical/SamePerson.ts"

const veteran = { fullName: "José María de la Cruz", dateOfBirth: "1962-03-04" }

const another = (members: object) => isAnother(veteran, JSON.stringify({ resourceType: "Patient", ...members }))

describe("A Patient is the person of the authorization", () => {
  it.each([
    ["in the same letters", { text: "José María de la Cruz" }],
    ["in other case and without accents", { text: "JOSE MARIA DE LA CRUZ" }],
    ["in decomposed letters", { text: "José María de la Cruz".normalize("NFD") }],
    ["with the family name first", { text: "de la Cruz, José María" }],
    ["with other spaces", { family: "Delacruz", given: ["JoseMaria"] }],
    ["with the family name first and other spaces", { text: "DELACRUZ JOSE MARIA" }],
    ["in parts", { family: "de la Cruz", given: ["José", "María"] }],
    ["in parts with titles", { prefix: ["Mr."], family: "de la Cruz", given: ["José", "María"], suffix: ["PhD"] }],
    ["with a text that has titles", { text: "Mr. de la Cruz", family: "de la Cruz", given: ["José", "María"] }]
  ])("if its name is written %s", (_, name) => {
    assert.isFalse(another({ name: [{ text: "Pepe", use: "nickname" }, name] }))
  })

  it.each([undefined, "1962-03-04", "1962-03", "1962", "unknown"])("if it was born %s", (birthDate) => {
    assert.isFalse(another({ birthDate }))
  })

  it.each([{}, { name: [] }, { name: [{}] }, { name: [{ text: "" }] }, { name: null }, {
    name: "José María de la Cruz"
  }])(
    "if nothing else is known: %j",
    (members) => {
      assert.isFalse(another(members))
    }
  )

  it("if it cannot be read", () => {
    assert.isFalse(isAnother(veteran, "no JSON"))
  })

  it("with letters that have no decomposition, an apostrophe or a hyphen", () => {
    const same = (fullName: string, text: string) =>
      !isAnother({ fullName, dateOfBirth: "1962-03-04" }, JSON.stringify({ name: [{ text }] }))
    assert.isTrue(same("Łukasz O’Hara-Søren", "LUKASZ OHARA SOREN"))
    assert.isTrue(same("כהן דוד", "דוד כהן"))
  })
})

describe("A Patient is another person", () => {
  it.each([
    { name: [{ text: "Peter James Chalmers" }] },
    { name: [{ family: "de la Cruz", given: ["Juan"] }] },
    { birthDate: "1974-12-25" },
    { birthDate: "1962-03-05" },
    { birthDate: "1963" },
    { name: [{ text: "José María de la Cruz" }], birthDate: "1962-04" }
  ])("by %j", (members) => {
    assert.isTrue(another(members))
  })

  it("by a name of 48,000 parts or characters, or by 5,000 names, in seconds", () => {
    const given = Array.from({ length: 48_000 }, () => "a")
    const started = performance.now()
    for (
      const name of [
        [{ given }],
        [{ text: given.join(" ") }],
        [{ given: ["a".repeat(48_000)] }],
        Array.from({ length: 5_000 }, () => ({ given: given.slice(0, 20) }))
      ]
    ) assert.isTrue(another({ name }))
    // A veteran may sign a name as long as the one in the record.
    const names = Array.from({ length: 200 }, () => ({ given: [...given.slice(0, 2000), "b", "c"] }))
    const signed = { fullName: `b ${given.slice(0, 2000).join(" ")} d`, dateOfBirth: "1962-03-04" }
    assert.isTrue(isAnother(signed, JSON.stringify({ name: names })))
    assert.isBelow(performance.now() - started, 5000)
  })
})
