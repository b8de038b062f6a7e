import { testClosure } from "./ReferencesClosure.ts"

await testClosure(Array.from({ length: 28 }, (_, index) => 2 + index))
