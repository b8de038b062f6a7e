import { testClosure } from "./ReferencesClosure.ts"

// references-closure.long.test.ts has 29 more seeds.
await testClosure([0])
