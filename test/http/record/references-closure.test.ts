import { testClosure } from "./ReferencesClosure.ts"

// references-closure.long.test.ts has 28 more seeds.
await testClosure([0, 1])
