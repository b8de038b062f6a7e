import { testClosure } from "./ReferencesClosure.ts"

// references-closure.long.test.ts has 28 seeds more.
await testClosure([0, 1])
