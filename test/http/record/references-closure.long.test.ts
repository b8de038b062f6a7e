import { testClosure } from "./ReferencesClosure.ts"

await testClosure(Array.from({ length: 29 }, (_, index) => 1 + index))
